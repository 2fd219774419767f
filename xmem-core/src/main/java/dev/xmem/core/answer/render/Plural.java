package dev.xmem.core.answer.render;

/** A number with its noun in the right form. */
public final class Plural {
    private Plural() {}

    /** Such as {@code 1 line} and {@code 2 lines}. */
    public static String of(long n, String one) {
        return of(n, one, one + "s");
    }

    /** Such as {@code 1 entry} and {@code 2 entries}. */
    public static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }
}
