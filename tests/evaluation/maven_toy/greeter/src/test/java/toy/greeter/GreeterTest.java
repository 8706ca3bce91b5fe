package toy.greeter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GreeterTest {
    @Test
    void greets() {
        assertEquals("Hello, Ada", new Greeter().greet("Ada"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" Ada", "Ada "})
    void trims(String name) {
        assertEquals("Hello, Ada", new Greeter().greet(name));
    }

    @Test
    @Disabled("later")
    void waves() {}
}
