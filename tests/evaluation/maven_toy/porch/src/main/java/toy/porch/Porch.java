package toy.porch;

import toy.shared.Name;

public class Porch {
    public String ring(String name) {
        return Name.clean(name) + " is at the door";
    }
}
