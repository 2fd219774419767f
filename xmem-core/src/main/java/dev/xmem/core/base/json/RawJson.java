package dev.xmem.core.base.json;

/** A number, literal, object or array as compact JSON text. */
public record RawJson(String text) {
    /** The text. Faster to start than the method of a record. */
    @Override
    public String toString() {
        return text;
    }
}
