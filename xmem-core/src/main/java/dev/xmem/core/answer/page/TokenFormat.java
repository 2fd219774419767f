package dev.xmem.core.answer.page;

/** Numbers of tokens as the seed writes them. */
final class TokenFormat {
    private static final int PLAIN_BELOW = 100;
    private static final int KILO = 1000;

    private TokenFormat() {}

    /** What something costs: {@code 99}, {@code 0.6K}, {@code 2.1K}. */
    static String cost(int tokens) {
        return tokens < PLAIN_BELOW ? Integer.toString(tokens) : tenths(tokens);
    }

    /** A limit: {@code 500}, {@code 1.5K}, {@code 15K}. */
    static String limit(int tokens) {
        if (tokens < KILO) {
            return Integer.toString(tokens);
        }
        return tokens % KILO == 0 ? tokens / KILO + "K" : tenths(tokens);
    }

    private static String tenths(int tokens) {
        long tenths = (tokens + 50L) / 100;
        return tenths / 10 + "." + tenths % 10 + "K";
    }
}
