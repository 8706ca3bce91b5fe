package toy.porch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PorchTest {
    @Test
    void rings() {
        assertEquals("Ada is at the door", new Porch().ring("Ada "));
    }

    @Test
    void failsOnTheOriginalToo() {
        assertEquals("Ada", new Porch().ring("Ada"));
    }
}
