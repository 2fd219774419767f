package dev.xmem.core.base.json;

/** A number, literal, object or array as compact JSON text. */
public record RawJson(String text) {
    boolean isNumber() {
        return text.charAt(0) <= '9';
    }

    /** Whether it is an object or an array. */
    boolean isNested() {
        return text.charAt(0) == '{' || text.charAt(0) == '[';
    }

    /** The text. Faster to start than the method of a record. */
    @Override
    public String toString() {
        return text;
    }
}
