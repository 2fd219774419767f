package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds where literals begin, whatever their case. Immutable.
 *
 * <p>Nearly all of a text is passed over by one question a character: can the next three characters begin a literal? The
 * answer is a bit in a table of 32 KiB. Only where it is set a trie is walked, which is as deep as the longest literal: so
 * the work is linear in the text, and no step waits for the memory that the step before asked for.
 */
final class LiteralMatcher {
    private static final int BITS = 6;
    private static final int CLASSES = 1 << BITS;
    private static final int LOOKED_AT = 3;
    private static final int MASK = (1 << LOOKED_AT * BITS) - 1;
    private static final int ROOT = 0;

    private final byte[] classes = new byte[128];
    private final long[] beginnings = new long[1 << (LOOKED_AT - 1) * BITS];
    private final List<int[]> edges = new ArrayList<>();
    private final List<List<SecretDetector>> finders = new ArrayList<>();

    LiteralMatcher(Map<String, List<SecretDetector>> literals) {
        addState();
        for (Map.Entry<String, List<SecretDetector>> asked : literals.entrySet()) {
            add(asked.getKey().toLowerCase(Locale.ROOT), asked.getValue());
        }
        for (String literal : literals.keySet()) {
            mark(literal.toLowerCase(Locale.ROOT));
        }
    }

    private int addState() {
        int[] none = new int[CLASSES];
        Arrays.fill(none, -1);
        edges.add(none);
        finders.add(new ArrayList<>());
        return edges.size() - 1;
    }

    private void add(String literal, List<SecretDetector> asked) {
        int state = ROOT;
        for (int i = 0; i < literal.length(); i++) {
            int[] out = edges.get(state);
            int kind = newClass(literal.charAt(i));
            if (out[kind] < 0) {
                out[kind] = addState();
            }
            state = out[kind];
        }
        finders.get(state).addAll(asked);
    }

    /** The class of a character; 0 are those of which no literal is made. */
    private int newClass(char c) {
        if (classes[c] == 0) {
            int used = 0;
            for (byte kind : classes) {
                used = Math.max(used, kind);
            }
            if (used + 1 >= CLASSES) {
                throw new IllegalStateException("the rules use more than " + CLASSES + " different characters");
            }
            classes[c] = (byte) (used + 1);
            classes[Character.toUpperCase(c)] = (byte) (used + 1);
        }
        return classes[c];
    }

    /** Sets the bit of a literal, or those of all that a short one may be followed by: they stand side by side. */
    private void mark(String literal) {
        int looked = Math.min(literal.length(), LOOKED_AT);
        int key = 0;
        for (int i = 0; i < looked; i++) {
            key = key << BITS | classes[literal.charAt(i)];
        }
        if (looked == LOOKED_AT) {
            beginnings[key >> BITS] |= 1L << key;
        } else {
            int open = (LOOKED_AT - 1 - looked) * BITS;
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

    /** Asks the finders of the literals that begin here, the longest first, until one found something. */
    void ask(RedactionPass sweep, int start) {
        String text = sweep.text().string();
        walk(sweep, text, start, start, ROOT);
    }

    private void walk(RedactionPass sweep, String text, int start, int at, int state) {
        int next = at < text.length() ? edges.get(state)[kind(text, at)] : -1;
        if (next >= 0) {
            walk(sweep, text, start, at + 1, next);
        }
        for (SecretDetector finder : finders.get(state)) {
            if (!sweep.isPast(start)) {
                finder.look(sweep, start, at);
            }
        }
    }
}
