package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shape of a vendor's tokens: literals and runs of characters of a set. It is found by its longest literal, and
 * read forward and backward from there without a second try, so the work is linear. Thread-safe.
 */
final class TokenShape implements SecretDetector {
    private static final int UNBOUNDED = Integer.MAX_VALUE;

    /** The number of characters in which a demand must be met, which bounds what is read in vain. */
    private static final int EXAMINED = 128;

    private static final CharSet DIGITS = CharSet.of("0-9");

    final String rule;
    final String literal;
    private final boolean digit;
    private final boolean glued;
    private final boolean kept;
    private final double bits;
    private final String shape;
    /** The parts, read when the literal is found for the first time: most are never. */
    private @Nullable List<Part> read;

    /** A literal, or {@code min} to {@code max} characters of a set if the literal is empty. */
    private record Part(String literal, CharSet set, int min, int max) {
        /** The end of this part at an index; -1 if it is not there. */
        int end(PaddedText text, int from, int most) {
            if (!literal.isEmpty()) {
                return text.has(from, literal) ? from + literal.length() : -1;
            }
            int to = set.endOfRun(text, from, Math.min(max, most));
            return to - from < min ? -1 : to;
        }

        /** The start of this part before an index; -1 if it is not there. */
        int start(PaddedText text, int to) {
            if (!literal.isEmpty()) {
                return text.has(to - literal.length(), literal) ? to - literal.length() : -1;
            }
            int from = set.startOfRun(text, to, max);
            return to - from < min ? -1 : from;
        }
    }

    private TokenShape(String rule, String shape, List<String> demands, double bits) {
        this.rule = rule;
        this.digit = demands.contains("digit");
        this.glued = demands.contains("glued");
        this.kept = demands.contains("keep");
        this.bits = bits;
        this.shape = shape;
        this.literal = longestLiteral(shape);
    }

    /** The first of the longest literals of a shape. */
    private static String longestLiteral(String shape) {
        String longest = "";
        for (int at = 0; at < shape.length(); ) {
            int open = shape.indexOf('{', at);
            int end = open < 0 ? shape.length() : open;
            longest = end - at > longest.length() ? shape.substring(at, end) : longest;
            at = open < 0 ? end : shape.indexOf('}', open) + 1;
        }
        return longest;
    }

    private List<Part> parts() {
        List<Part> parts = read;
        if (parts == null) {
            parts = parts(shape);
            read = parts;
        }
        return parts;
    }

    /** Reads the shapes of one line of the table. */
    static List<TokenShape> of(String rule, String shapes, String demanded) {
        List<String> demands = demanded.isEmpty() ? List.of() : List.of(demanded.split(" "));
        int bits = demands.indexOf("bits");
        double entropy = bits < 0 ? 0 : Double.parseDouble(demands.get(bits + 1));
        List<TokenShape> all = new ArrayList<>();
        for (String shape : shapes.split(" ")) {
            int close = shape.charAt(0) == '(' ? shape.indexOf(')') : 0;
            for (String literal : close > 0 ? List.of(shape.substring(1, close).split("\\|")) : List.of("")) {
                String whole = literal + shape.substring(close > 0 ? close + 1 : 0);
                all.add(new TokenShape(rule, whole, demands, entropy));
            }
        }
        return all;
    }

    private static List<Part> parts(String shape) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < shape.length()) {
            int open = shape.indexOf('{', at);
            if (open != at) {
                int end = open < 0 ? shape.length() : open;
                parts.add(new Part(shape.substring(at, end), CharSet.of(""), 0, 0));
                at = end;
                continue;
            }
            int close = shape.indexOf('}', at);
            boolean listed = shape.charAt(at + 1) == '[';
            int count = listed ? shape.lastIndexOf(']', close) + 1 : at + 2;
            CharSet set = listed ? CharSet.of(shape.substring(at + 2, count - 1)) : named(shape.charAt(at + 1));
            String[] counts = shape.substring(count, close).split("[-+]");
            int min = Integer.parseInt(counts[0]);
            int max = shape.charAt(close - 1) == '+' ? UNBOUNDED : Integer.parseInt(counts[counts.length - 1]);
            parts.add(new Part("", set, min, max));
            at = close + 1;
        }
        return List.copyOf(parts); // has final fields, so that other threads may read it
    }

    private static CharSet named(char name) {
        return CharSet.of(
                switch (name) {
                    case 'w' -> "A-Za-z0-9";
                    case 't' -> "A-Za-z0-9_-";
                    case 'e' -> "A-Za-z0-9_=-";
                    case 'p' -> "A-Za-z0-9_.=-";
                    case 'l' -> "a-z0-9";
                    case 'u' -> "A-Z0-9";
                    case 'x' -> "a-f0-9";
                    case 'X' -> "A-Fa-f0-9";
                    case 'd' -> "0-9";
                    case 'a' -> "A-Za-z";
                    case 'b' -> "A-Za-z0-9+/=";
                    default -> throw new IllegalArgumentException("unknown set of characters " + name);
                });
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        if (!text.has(start, literal)) {
            return;
        }
        int from = start;
        List<Part> parts = parts();
        int trigger = 0;
        while (!parts.get(trigger).literal.equals(literal)) {
            trigger++;
        }
        for (int i = trigger - 1; i >= 0 && from >= 0; i--) {
            from = parts.get(i).start(text, from);
        }
        int to = from < 0 || !glued && !text.wordStartsAt(from) ? -1 : end(text, from);
        if (to > 0) {
            pass.redact(kept ? end : from, to, rule);
        }
    }

    /** The end of the token that starts at an index; -1 if there is none. */
    int end(PaddedText text, int from) {
        int examined = end(text, from, EXAMINED);
        return examined > 0 && isDemanded(text, from, examined) ? trimmed(text, end(text, from, UNBOUNDED)) : -1;
    }

    private int end(PaddedText text, int from, int mostOfLast) {
        int to = from;
        List<Part> parts = parts();
        for (int i = 0; i < parts.size() && to >= 0; i++) {
            Part part = parts.get(i);
            int most = i < parts.size() - 1 ? UNBOUNDED : Math.max(part.min, mostOfLast);
            to = part.end(text, to, most);
        }
        boolean open = parts.get(parts.size() - 1).max == UNBOUNDED;
        return to >= 0 && !open && PaddedText.isAlphanumeric(text.at(to)) ? -1 : to;
    }

    /** The end without the punctuation of the surrounding sentence. */
    private int trimmed(PaddedText text, int end) {
        int to = end;
        List<Part> parts = parts();
        while (parts.get(parts.size() - 1).max == UNBOUNDED && "./,".indexOf(text.at(to - 1)) >= 0) {
            to--;
        }
        return to;
    }

    private boolean isDemanded(PaddedText text, int from, int to) {
        int after = from + parts().get(0).literal.length();
        return (!digit || DIGITS.indexIn(text, after, to) >= 0) && (bits == 0 || entropy(text, after, to) >= bits);
    }

    /** The entropy of a character, in bits, by the frequencies of the characters in a range (Shannon 1948). */
    private static double entropy(PaddedText text, int from, int to) {
        int[] counts = new int[128];
        for (int i = from; i < to; i++) {
            counts[text.at(i) & 127]++;
        }
        double sum = 0;
        for (int count : counts) {
            sum += count == 0 ? 0 : count * Math.log(count);
        }
        int length = to - from;
        return length == 0 ? 0 : (Math.log(length) - sum / length) / Math.log(2);
    }
}
