package dev.xmem.core.answer.render;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A text of an entry that advice tells, and what it is compared by. Both are made when they are first needed.
 * Thread-safe: what is made twice is equal.
 */
final class ToldPhrase {
    private final String text;
    private final Supplier<String> rendering;
    private volatile @Nullable String said;
    private volatile @Nullable WordHashes words;

    /**
     * A phrase.
     *
     * @param text what it is about; the steps of a fix are separated by newlines
     * @param rendering makes what is told
     */
    ToldPhrase(String text, Supplier<String> rendering) {
        this.text = text;
        this.rendering = rendering;
    }

    String text() {
        return text;
    }

    /** The text as it is told. */
    String said() {
        String known = said;
        if (known == null) {
            known = rendering.get();
            said = known;
        }
        return known;
    }

    /** The words of the text. */
    WordHashes words() {
        WordHashes known = words;
        if (known == null) {
            known = WordHashes.of(Statement.Split.of(text));
            words = known;
        }
        return known;
    }

    /** The hash codes of the words of a text, and of the first words of its steps: they tell which texts differ. */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    record WordHashes(int[] words, int[] firsts, long wordBits, long firstBits) {
        static WordHashes of(Statement.Split split) {
            int[] words = hashes(split.lines(), Integer.MAX_VALUE);
            int[] firsts = hashes(split.steps(), 1);
            return new WordHashes(words, firsts, bits(words), bits(firsts));
        }

        /** The hash codes of the first {@code most} words of each line. */
        private static int[] hashes(List<List<String>> lines, int most) {
            int count = 0;
            for (List<String> line : lines) {
                count += Math.min(most, line.size());
            }
            int[] hashes = new int[count];
            for (List<String> line : lines) {
                for (int i = 0; i < Math.min(most, line.size()); i++) {
                    hashes[hashes.length - count--] = line.get(i).hashCode();
                }
            }
            return hashes;
        }

        private static long bits(int[] hashes) {
            long bits = 0;
            for (int hash : hashes) {
                bits |= 1L << (hash ^ hash >>> 16 ^ hash >>> 8);
            }
            return bits;
        }

        /** Whether a step of one of the two texts may be in the other one. */
        boolean mayOverlap(WordHashes other) {
            return (wordBits & other.firstBits) != 0 && haveOneOf(words, other.firsts)
                    || (firstBits & other.wordBits) != 0 && haveOneOf(other.words, firsts);
        }

        private static boolean haveOneOf(int[] words, int[] wanted) {
            for (int word : words) {
                for (int each : wanted) {
                    if (word == each) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
