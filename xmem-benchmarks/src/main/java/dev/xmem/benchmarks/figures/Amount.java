package dev.xmem.benchmarks.figures;

import java.util.Locale;

/** Numbers as people read them. */
final class Amount {
    private Amount() {}

    static String time(double micros) {
        if (micros < 1000) {
            return three(micros) + " µs";
        }
        return micros < 1e6 ? three(micros / 1000) + " ms" : three(micros / 1e6) + " s";
    }

    static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.0f/s", perSecond);
    }

    static String ratio(double ratio) {
        return three(ratio) + "×";
    }

    /** Three digits, or all of those before the point. */
    static String three(double value) {
        double size = Math.abs(value);
        String form = size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
