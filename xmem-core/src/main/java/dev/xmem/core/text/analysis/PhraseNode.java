package dev.xmem.core.text.analysis;

import dev.xmem.core.text.analysis.Lexicon.Cause;
import dev.xmem.core.text.analysis.Lexicon.LexiconEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of the trie of the lexicon's phrases: the phrases that end here, and the words that may follow. Filled while
 * {@link Lexicon} is read, immutable afterwards.
 */
final class PhraseNode {
    private @Nullable LexiconEntry[] words = {};
    private @Nullable PhraseNode[] next = {};
    private int size;
    /** One bit for each word that may follow: most words end a phrase. */
    private long mayFollow;

    /** Whether up to two other words may precede the next one. */
    boolean gap;
    /** Whether a phrase ends here. */
    boolean says;

    private boolean leadsToCause;
    final List<Cause> causes = new ArrayList<>(1);
    final List<List<Lexicon.Alternative>> synonyms = new ArrayList<>(1);

    @Nullable PhraseNode after(LexiconEntry word) {
        if ((mayFollow & 1L << word.number()) == 0) {
            return null;
        }
        int mask = words.length - 1;
        int slot = word.number() & mask;
        while (words[slot] != word && words[slot] != null) {
            slot = (slot + 1) & mask;
        }
        return next[slot];
    }

    PhraseNode open(LexiconEntry word) {
        PhraseNode known = after(word);
        return known != null ? known : put(word, new PhraseNode());
    }

    private PhraseNode put(LexiconEntry word, PhraseNode node) {
        if (2 * size >= words.length) {
            grow();
        }
        int mask = words.length - 1;
        int slot = word.number() & mask;
        while (words[slot] != null) {
            slot = (slot + 1) & mask;
        }
        words[slot] = word;
        next[slot] = node;
        mayFollow |= 1L << word.number();
        size++;
        return node;
    }

    private void grow() {
        @Nullable LexiconEntry[] oldWords = words;
        @Nullable PhraseNode[] oldNext = next;
        words = new LexiconEntry[Math.max(2, oldWords.length * 2)];
        next = new PhraseNode[words.length];
        size = 0;
        for (int i = 0; i < oldWords.length; i++) {
            if (oldWords[i] != null) {
                put(oldWords[i], oldNext[i]);
            }
        }
    }

    /** Whether a useful phrase ends here or below: any for a query, only one that names a cause for an entry. */
    boolean isOfUse(boolean inQuery) {
        return inQuery ? size > 0 || says : leadsToCause;
    }

    boolean findCauses() {
        leadsToCause = !causes.isEmpty();
        for (PhraseNode node : next) {
            leadsToCause |= node != null && node.findCauses();
        }
        return leadsToCause;
    }

    /** The number of words to the end of the longest phrase below, with {@code inGap} words in each gap. */
    int longest(int inGap) {
        int longest = 0;
        for (PhraseNode node : next) {
            longest = Math.max(longest, node == null ? 0 : 1 + (gap ? inGap : 0) + node.longest(inGap));
        }
        return longest;
    }
}
