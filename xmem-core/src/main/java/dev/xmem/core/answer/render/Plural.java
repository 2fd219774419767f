package dev.xmem.core.answer.render;

/** A number and what it counts. */
final class Plural {
    private Plural() {}

    static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }
}
