package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A multi-pattern matcher: finds the literals of the rules, ignoring case, and runs their detectors. Immutable.
 *
 * <p>A bit table of 32 KiB answers whether the next three characters can begin a literal, which skips most of a text
 * with one lookup per character. Only where the bit is set is a trie walked, at most as deep as the longest literal. So
 * the work is linear in the text, and no step waits for memory that the previous step asked for.
 */
final class LiteralMatcher {
    private static final int BITS = 6;
    private static final int CLASSES = 1 << BITS;
    private static final int WINDOW = 3;
    private static final int MASK = (1 << WINDOW * BITS) - 1;
    private static final int ROOT = 0;

    private final byte[] classes = new byte[128];
    private final long[] beginnings = new long[1 << (WINDOW - 1) * BITS];
    private final List<int[]> edges = new ArrayList<>();
    private final List<List<SecretDetector>> detectors = new ArrayList<>();
    private int usedClasses;

    /** Creates a matcher for literals in lower case. */
    LiteralMatcher(Map<String, List<SecretDetector>> literals) {
        addState();
        for (Map.Entry<String, List<SecretDetector>> literal : literals.entrySet()) {
            add(literal.getKey(), literal.getValue());
            mark(literal.getKey());
        }
    }

    private int addState() {
        edges.add(new int[CLASSES]); // no edge leads back to the root
        detectors.add(new ArrayList<>());
        return edges.size() - 1;
    }

    private void add(String literal, List<SecretDetector> called) {
        int state = ROOT;
        for (int i = 0; i < literal.length(); i++) {
            int[] out = edges.get(state);
            int kind = addClass(literal.charAt(i));
            if (out[kind] == ROOT) {
                out[kind] = addState();
            }
            state = out[kind];
        }
        detectors.get(state).addAll(called);
    }

    /** The class of a character of a literal, the same for upper and lower case. Class 0 is in no literal. */
    private int addClass(char c) {
        if (classes[c] == 0) {
            if (++usedClasses >= CLASSES) {
                throw new IllegalStateException("the rules use more than " + CLASSES + " different characters");
            }
            classes[c] = (byte) usedClasses;
            classes[Character.toUpperCase(c)] = (byte) usedClasses;
        }
        return classes[c];
    }

    /** Sets the bit of a literal, or the adjacent bits of all continuations of a short one. */
    private void mark(String literal) {
        int window = Math.min(literal.length(), WINDOW);
        int key = 0;
        for (int i = 0; i < window; i++) {
            key = key << BITS | classes[literal.charAt(i)];
        }
        if (window == WINDOW) {
            beginnings[key >> BITS] |= 1L << key;
        } else {
            int open = (WINDOW - 1 - window) * BITS;
            Arrays.fill(beginnings, key << open, key + 1 << open, -1L);
        }
    }

    /** The first index, from one on, at which a literal may begin; the length of the text if there is none. */
    int next(String text, int from) {
        int length = text.length();
        int key = kind(text, from) << BITS | kind(text, from + 1);
        for (int i = from; i < length - 2; i++) {
            char c = text.charAt(i + 2);
            key = (key << BITS | (c < 128 ? classes[c] : 0)) & MASK;
            if (mayBegin(key)) {
                return i;
            }
        }
        for (int i = Math.max(from, length - 2); i < length; i++) {
            if (mayBegin((kind(text, i) << BITS | kind(text, i + 1)) << BITS)) {
                return i;
            }
        }
        return length;
    }

    private boolean mayBegin(int key) {
        return (beginnings[key >> BITS] & 1L << key) != 0;
    }

    private int kind(String text, int i) {
        return i < text.length() && text.charAt(i) < 128 ? classes[text.charAt(i)] : 0;
    }

    /** Runs the detectors of the literals that begin at an index, longest first, until one redacts something. */
    void detect(RedactionPass pass, int start) {
        walk(pass, pass.text.string(), start, start, ROOT);
    }

    private void walk(RedactionPass pass, String text, int start, int at, int state) {
        int next = at < text.length() ? edges.get(state)[kind(text, at)] : ROOT;
        if (next != ROOT) {
            walk(pass, text, start, at + 1, next);
        }
        for (SecretDetector detector : detectors.get(state)) {
            if (pass.resume <= start) {
                detector.detect(pass, start, at);
            }
        }
    }
}
