package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.WordChars;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The term dictionary of an index in memory: an open-addressed hash table of posting lists, at most half full. Only the
 * writer adds; a slot changes from empty to its term once, and a larger table is published as a whole, so readers need
 * no lock. A reader with the old table misses only terms that were added after its cutoff.
 */
final class TermTable {
    private static final int INITIAL = 1 << 10;

    private volatile AtomicReferenceArray<@Nullable PostingList> table = new AtomicReferenceArray<>(INITIAL);
    /** The posting lists by their numbers. Used by the writer only. */
    private @Nullable PostingList[] numbered = new @Nullable PostingList[INITIAL];

    private int size;

    @Nullable PostingList find(String term) {
        char[] chars = term.toCharArray();
        AtomicReferenceArray<@Nullable PostingList> slots = table;
        return slots.getAcquire(slotOf(slots, chars, chars.length, WordChars.hash(chars, chars.length)));
    }

    /** The number of a term, the next one if it is new. Called by the writer only. */
    int number(char[] chars, int length, int hash) {
        AtomicReferenceArray<@Nullable PostingList> slots = table;
        int slot = slotOf(slots, chars, length, hash);
        PostingList found = slots.getPlain(slot);
        return found != null ? found.number() : add(new PostingList(chars, length, hash, size), slot);
    }

    private int add(PostingList postings, int slot) {
        if (size == numbered.length) {
            numbered = Arrays.copyOf(numbered, 2 * size);
        }
        numbered[size++] = postings;
        table.setRelease(slot, postings);
        if (size > table.length() / 2) {
            grow();
        }
        return postings.number();
    }

    /** Passes on all terms, each of which is forgotten before the next. Called by the writer only, once. */
    void drain(Consumer<PostingList> each) {
        table = new AtomicReferenceArray<>(1);
        for (int number = 0; number < size; number++) {
            PostingList postings = get(number);
            numbered[number] = null;
            each.accept(postings);
        }
    }

    /** Copies the characters of a term into an array and returns how many there are. Called by the writer only. */
    int copy(int number, char[] into, int at) {
        return get(number).copy(into, at);
    }

    /** The posting list of the term with a number. Called by the writer only. */
    PostingList get(int number) {
        return Objects.requireNonNull(numbered[number]);
    }

    private static int slotOf(AtomicReferenceArray<@Nullable PostingList> slots, char[] chars, int length, int hash) {
        int mask = slots.length() - 1;
        int slot = hash & mask;
        for (PostingList found = slots.getAcquire(slot); found != null; found = slots.getAcquire(slot)) {
            if (found.hash() == hash && found.is(chars, length)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable PostingList> old = table;
        AtomicReferenceArray<@Nullable PostingList> larger = new AtomicReferenceArray<>(old.length() * 2);
        int mask = larger.length() - 1;
        for (int i = 0; i < old.length(); i++) {
            PostingList postings = old.getPlain(i);
            if (postings != null) {
                int slot = postings.hash() & mask;
                while (larger.getPlain(slot) != null) {
                    slot = (slot + 1) & mask;
                }
                larger.setPlain(slot, postings);
            }
        }
        table = larger;
    }
}
