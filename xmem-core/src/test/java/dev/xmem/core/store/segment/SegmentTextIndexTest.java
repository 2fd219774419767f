package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.ForwardIndex;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.Analyzer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class SegmentTextIndexTest {
    @Property(tries = 150)
    void words_throughASegment_areThoseInMemory(@ForAll("entries") List<String> entries)
            throws CorruptSegmentException {
        MemoryTextIndex inMemory = new MemoryTextIndex();
        ForwardIndex forward = new ForwardIndex(entries.size() + 3);
        Set<String> terms = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            String text = entries.get(i);
            if (text.startsWith("-")) {
                continue; // an event has no words
            }
            FieldBoost field = FieldBoost.values()[i % FieldBoost.values().length];
            inMemory.add(i, fields -> fields.text(field, text));
            forward.add(i, fields -> fields.text(field, text));
            for (Analyzer.Term term : Analyzer.terms(text)) {
                terms.add(term.text());
                terms.add("@" + term.text());
            }
        }
        Map<String, List<String>> expected = new HashMap<>();
        terms.forEach(term -> expected.put(term, postings(inMemory, term, inMemory.end())));
        SegmentTextIndex sealed = sealed(forward);
        expected.forEach((term, postings) ->
                assertThat(postings(sealed, term, inMemory.end())).as(term).isEqualTo(postings));
        for (int line = 0; line < inMemory.end(); line++) {
            assertThat(sealed.entriesBelow(line)).isEqualTo(inMemory.entriesBelow(line));
            assertThat(sealed.wordsBelow(line)).isEqualTo(inMemory.wordsBelow(line));
            assertThat(sealed.words(line)).isEqualTo(inMemory.words(line));
        }
        assertThat(norms(sealed, inMemory.end())).isEqualTo(norms(inMemory, inMemory.end()));
    }

    @Test
    void weights_beyondTheShortCodesAndDistances_comeBack() throws CorruptSegmentException {
        MemoryTextIndex inMemory = new MemoryTextIndex();
        ForwardIndex forward = new ForwardIndex(30_000);
        for (int line : new int[] {0, 1, 20, 5_000, 29_999}) {
            String text = "disk ".repeat(1 + line % 100);
            inMemory.add(line, fields -> fields.text(FieldBoost.TOOL, text));
            forward.add(line, fields -> fields.text(FieldBoost.TOOL, text));
        }
        List<String> disk = postings(inMemory, "disk", 30_000);
        List<String> tool = postings(inMemory, "@disk", 30_000);
        SegmentTextIndex sealed = sealed(forward);
        assertThat(postings(sealed, "disk", 30_000)).isEqualTo(disk).hasSize(5);
        assertThat(postings(sealed, "@disk", 30_000)).isEqualTo(tool);
    }

    /** Two terms whose first place is the same are both remembered; with one place they would take turns. */
    @Test
    void find_termsOfOnePlace_areBothRememberedAndNoneAnswersForAnother() throws CorruptSegmentException {
        List<String> words = IntStream.range(0, 2_000).mapToObj(i -> "x" + i).toList();
        MemoryTextIndex inMemory = new MemoryTextIndex();
        ForwardIndex forward = new ForwardIndex(words.size());
        for (int i = 0; i < words.size(); i++) {
            String text = words.get(i) + " " + words.get(i / 2);
            inMemory.add(i, fields -> fields.text(FieldBoost.TEXT, text));
            forward.add(i, fields -> fields.text(FieldBoost.TEXT, text));
        }
        SegmentTextIndex sealed = sealed(forward);
        String one = words.get(0);
        String other = words.stream()
                .filter(word -> place(word, 0) == place(one, 0) && place(word, 8) != place(one, 0))
                .filter(word -> !word.equals(one))
                .findFirst()
                .orElseThrow();
        TextIndex.TermPostings first = sealed.find(one);
        TextIndex.TermPostings second = sealed.find(other);
        assertThat(sealed.find(one)).isSameAs(first);
        assertThat(sealed.find(other)).isSameAs(second);
        for (int round = 0; round < 2; round++) {
            for (String word : words) {
                assertThat(postings(sealed, word, words.size()))
                        .as(word)
                        .isEqualTo(postings(inMemory, word, words.size()))
                        .isNotEmpty();
            }
        }
    }

    private static int place(String term, int shift) {
        return term.hashCode() >>> shift & SegmentTextIndex.RECENT - 1;
    }

    @Test
    void entry_thatFails_leavesNothing() throws CorruptSegmentException {
        ForwardIndex collected = new ForwardIndex(2);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> collected.add(0, fields -> {
                    fields.text(FieldBoost.TEXT, "half an entry");
                    throw new IllegalStateException("stop");
                })))
                .isInstanceOf(IllegalStateException.class);
        collected.add(1, fields -> fields.text(FieldBoost.TEXT, "whole entry"));
        SegmentTextIndex sealed = sealed(collected);
        assertThat(sealed.find("half")).isNull();
        assertThat(sealed.entriesBelow(2)).isEqualTo(1);
        assertThat(postings(sealed, "entri", 2).size()
                        + postings(sealed, "entry", 2).size())
                .isEqualTo(1);
    }

    private static SegmentTextIndex sealed(ForwardIndex words) throws CorruptSegmentException {
        return new SegmentTextIndex(SealedWords.sealed(words), words.lines());
    }

    private static byte[] norms(TextIndex words, int lines) {
        byte[] norms = new byte[lines];
        words.norms(lines / 2, lines - lines / 2, norms);
        return norms;
    }

    private static List<String> postings(TextIndex words, String term, int cutoff) {
        List<String> all = new ArrayList<>();
        TextIndex.TermPostings found = words.find(term);
        PostingsIterator cursor = found == null ? null : found.iterator(cutoff);
        for (; cursor != null && cursor.ordinal() != PostingsIterator.DONE; cursor.next()) {
            all.add(cursor.ordinal() + ":" + cursor.weight());
        }
        return all;
    }

    @Provide
    Arbitrary<List<String>> entries() {
        Arbitrary<String> word = Arbitraries.of(
                "not",
                "found",
                "git",
                "push",
                "src/main/App.java",
                "接続",
                "don't",
                "E0308",
                "Größe",
                "-",
                "sqlite3",
                "x");
        Arbitrary<String> text = word.list().ofMaxSize(40).map(words -> String.join(" ", words));
        return Arbitraries.oneOf(text, Arbitraries.strings().all().ofMaxLength(40))
                .list()
                .ofMaxSize(60);
    }
}
