package dev.xmem.benchmarks.figures;

import java.util.Locale;

/** Formats times, rates and ratios for tables. */
final class QuantityFormat {
    private QuantityFormat() {}

    static String time(double micros) {
        if (micros < 1000) {
            return threeDigits(micros) + " µs";
        }
        return micros < 1e6 ? threeDigits(micros / 1000) + " ms" : threeDigits(micros / 1e6) + " s";
    }

    static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.0f/s", perSecond);
    }

    static String ratio(double ratio) {
        return threeDigits(ratio) + "×";
    }

    /** Formats a number with three significant digits, or with all digits before the decimal point. */
    static String threeDigits(double value) {
        double size = Math.abs(value);
        String form = size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
