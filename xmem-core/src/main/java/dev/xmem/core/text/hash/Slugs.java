package dev.xmem.core.text.hash;

import java.util.Locale;

/** Converts names to kebab case. */
final class Slugs {
    private Slugs() {}

    /** Lower-case letters and digits joined by single hyphens; camel case is split. */
    static String kebab(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z' && startsWord(text, i)) {
                hyphen(out);
            }
            if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z') {
                out.append(c);
            } else {
                hyphen(out);
            }
        }
        int end = out.length() > 0 && out.charAt(out.length() - 1) == '-' ? out.length() - 1 : out.length();
        return out.substring(0, end).toLowerCase(Locale.ROOT);
    }

    private static boolean startsWord(String text, int i) {
        boolean lowerBefore = i > 0 && Character.isLowerCase(text.charAt(i - 1));
        boolean upperBefore = i > 0 && Character.isUpperCase(text.charAt(i - 1));
        boolean lowerAfter = i + 1 < text.length() && Character.isLowerCase(text.charAt(i + 1));
        return lowerBefore || upperBefore && lowerAfter;
    }

    private static void hyphen(StringBuilder out) {
        if (out.length() > 0 && out.charAt(out.length() - 1) != '-') {
            out.append('-');
        }
    }
}
