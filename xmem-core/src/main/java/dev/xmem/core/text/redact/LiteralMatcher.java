package dev.xmem.core.text.redact;

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
    private static final SecretDetector[] NONE = {};

    private final byte[] classes = new byte[128];
    private final long[] beginnings = new long[1 << (WINDOW - 1) * BITS];
    /** The next state by state and class of the character: the root, to which no edge leads, if there is none. */
    private char[] edges = {};

    /** The states from which an edge leads to a state. */
    private char[] parents = {};

    private SecretDetector[][] detectors = {NONE};
    private int states = 1;
    private int usedClasses;

    /** Creates a matcher for literals in lower case. */
    LiteralMatcher(Map<String, List<SecretDetector>> literals) {
        int most = states;
        for (String literal : literals.keySet()) {
            most += literal.length();
        }
        resize(most);
        for (Map.Entry<String, List<SecretDetector>> literal : literals.entrySet()) {
            int state = add(literal.getKey());
            detectors[state] = literal.getValue().toArray(NONE);
            mark(literal.getKey());
        }
        resize(states);
    }

    private int add(String literal) {
        int state = ROOT;
        for (int i = 0; i < literal.length(); i++) {
            int edge = state * CLASSES + addClass(literal.charAt(i));
            if (edges[edge] == ROOT) {
                char next = addState(state);
                edges[edge] = next;
            }
            state = edges[edge];
        }
        return state;
    }

    private char addState(int parent) {
        parents[states] = (char) parent;
        detectors[states] = NONE;
        return (char) states++;
    }

    private void resize(int size) {
        if (size > Character.MAX_VALUE) {
            throw new IllegalStateException("the rules have too many literals");
        }
        edges = Arrays.copyOf(edges, size * CLASSES);
        parents = Arrays.copyOf(parents, size);
        detectors = Arrays.copyOf(detectors, size);
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
        long[] table = beginnings;
        byte[] kinds = classes;
        int length = text.length();
        int key = kind(text, from) << BITS | kind(text, from + 1);
        for (int i = from + 2; i < length; i++) {
            char c = text.charAt(i);
            key = (key << BITS | (c < kinds.length ? kinds[c] : 0)) & MASK;
            if ((table[key >> BITS] >> key & 1) != 0) {
                return i - 2;
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
        String text = pass.text.string();
        int at = start;
        int state = ROOT;
        int next = edge(text, at, state);
        while (next != ROOT) {
            state = next;
            at++;
            next = edge(text, at, state);
        }
        for (; state != ROOT; state = parents[state], at--) {
            for (SecretDetector detector : detectors[state]) {
                if (pass.resume <= start) {
                    detector.detect(pass, start, at);
                }
            }
        }
    }

    private int edge(String text, int at, int state) {
        return at < text.length() ? edges[state * CLASSES + kind(text, at)] : ROOT;
    }
}
