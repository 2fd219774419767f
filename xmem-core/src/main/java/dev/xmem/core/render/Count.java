package dev.xmem.core.render;

/** A number and what it counts. */
final class Count {
    private Count() {}

    static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }
}
