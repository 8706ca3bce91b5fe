package toy.shared;

public class Name {
    public static String clean(String name) {
        return name.trim();
    }
}
