package toy.greeter;

import toy.shared.Name;

public class Greeter {
    public String greet(String name) {
        return "Hello, " + Name.clean(name);
    }
}
