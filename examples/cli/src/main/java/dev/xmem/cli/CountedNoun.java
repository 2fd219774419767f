package dev.xmem.cli;

/** A number with its noun in the right form. */
final class CountedNoun {
    private CountedNoun() {}

    /** For example {@code 1 line} and {@code 2 lines}. */
    static String of(long n, String one) {
        return of(n, one, one + "s");
    }

    /** For a noun with another plural, such as {@code 2 families}. */
    static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }
}
