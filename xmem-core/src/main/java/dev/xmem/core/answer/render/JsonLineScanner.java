package dev.xmem.core.answer.render;

/** What has to be known of a stored line, one valid JSON object, without parsing it. */
final class JsonLineScanner {
    private JsonLineScanner() {}

    /**
     * The same object without line ends. In valid JSON they stand between tokens only, so that a space means the same;
     * a lone surrogate stands inside a string, where its escape means the same.
     */
    static String inOneLine(String json) {
        if (isInOneLine(json)) {
            return json;
        }
        StringBuilder out = new StringBuilder(json.length() + 16);
        json.codePoints().forEach(c -> {
            if (c < ' ') {
                out.append(' ');
            } else if (isOdd(c)) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static boolean isInOneLine(String json) {
        int i = 0;
        while (i < json.length()) {
            int c = json.codePointAt(i);
            if (isOdd(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    private static boolean isOdd(int c) {
        return c < ' ' || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** Whether the object itself, not one inside it, has this key. A key written with escapes is not recognised. */
    static boolean hasKey(String json, String key) {
        int depth = 0;
        int i = 0;
        while (i < json.length()) {
            char c = json.charAt(i);
            if (c == '"') {
                int end = closingQuote(json, i);
                if (depth == 1 && isKey(json, i, end, key)) {
                    return true;
                }
                i = end;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            i++;
        }
        return false;
    }

    private static int closingQuote(String json, int open) {
        int i = open + 1;
        while (i < json.length() && json.charAt(i) != '"') {
            i += json.charAt(i) == '\\' ? 2 : 1;
        }
        return i;
    }

    /** A string is a key where a colon follows it. */
    private static boolean isKey(String json, int open, int close, String key) {
        if (close - open - 1 != key.length() || !json.startsWith(key, open + 1)) {
            return false;
        }
        int i = close + 1;
        while (i < json.length() && json.charAt(i) <= ' ') {
            i++;
        }
        return i < json.length() && json.charAt(i) == ':';
    }
}
