package dev.xmem.cli;

/** A number with its noun in the right form. */
final class CountedNoun {
    private CountedNoun() {}

    /** For example {@code 1 line} and {@code 2 lines}. */
    static String of(long n, String one) {
        return n + " " + one + (n == 1 ? "" : "s");
    }
}
