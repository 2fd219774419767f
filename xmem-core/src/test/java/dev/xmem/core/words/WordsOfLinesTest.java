package dev.xmem.core.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.SegmentWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class WordsOfLinesTest {
    @Property(tries = 150)
    void words_throughASegment_areThoseInMemory(@ForAll("entries") List<String> entries) throws BadSegment {
        WordIndex inMemory = new WordIndex();
        WordsOfLines collected = new WordsOfLines(entries.size() + 3);
        Set<String> terms = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            String text = entries.get(i);
            if (text.startsWith("-")) {
                continue; // an event has no words
            }
            FieldClass field = FieldClass.values()[i % FieldClass.values().length];
            inMemory.add(i, fields -> fields.text(field, text));
            collected.add(i, fields -> fields.text(field, text));
            for (Analyzer.Term term : Analyzer.terms(text)) {
                terms.add(term.text());
                terms.add("@" + term.text());
            }
        }
        SealedWords sealed = sealed(collected, entries.size() + 3);
        for (String term : terms) {
            assertThat(postings(sealed, term, inMemory.end()))
                    .as(term)
                    .isEqualTo(postings(inMemory, term, inMemory.end()));
        }
        for (int line = 0; line < inMemory.end(); line++) {
            assertThat(sealed.entriesBelow(line)).isEqualTo(inMemory.entriesBelow(line));
            assertThat(sealed.wordsBelow(line)).isEqualTo(inMemory.wordsBelow(line));
            assertThat(sealed.words(line)).isEqualTo(inMemory.words(line));
        }
        assertThat(sealed.fewWords(inMemory.end())).isEqualTo(inMemory.fewWords(inMemory.end()));
    }

    @Test
    void weights_beyondTheShortCodesAndDistances_comeBack() throws BadSegment {
        WordsOfLines collected = new WordsOfLines(30_000);
        WordIndex inMemory = new WordIndex();
        for (int line : new int[] {0, 1, 20, 5_000, 29_999}) {
            String text = "disk ".repeat(1 + line % 100);
            collected.add(line, fields -> fields.text(FieldClass.TOOL, text));
            inMemory.add(line, fields -> fields.text(FieldClass.TOOL, text));
        }
        SealedWords sealed = sealed(collected, 30_000);
        assertThat(postings(sealed, "disk", 30_000))
                .isEqualTo(postings(inMemory, "disk", 30_000))
                .hasSize(5);
        assertThat(postings(sealed, "@disk", 30_000)).isEqualTo(postings(inMemory, "@disk", 30_000));
    }

    @Test
    void entry_thatFails_leavesNothing() throws BadSegment {
        WordsOfLines collected = new WordsOfLines(2);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> collected.add(0, fields -> {
                    fields.text(FieldClass.TEXT, "half an entry");
                    throw new IllegalStateException("stop");
                })))
                .isInstanceOf(IllegalStateException.class);
        collected.add(1, fields -> fields.text(FieldClass.TEXT, "whole entry"));
        SealedWords sealed = sealed(collected, 2);
        assertThat(sealed.find("half")).isNull();
        assertThat(sealed.entriesBelow(2)).isEqualTo(1);
        assertThat(postings(sealed, "entri", 2).size()
                        + postings(sealed, "entry", 2).size())
                .isEqualTo(1);
    }

    private static SealedWords sealed(WordsOfLines collected, int lines) throws BadSegment {
        SegmentWriter out = new SegmentWriter();
        collected.write(out);
        return new SealedWords(Segment.of(ByteBuffer.wrap(out.finish())), lines);
    }

    private static List<String> postings(WordLines words, String term, int cutoff) {
        List<String> all = new ArrayList<>();
        WordLines.TermLines found = words.find(term);
        PostingCursor cursor = found == null ? null : found.cursor(cutoff);
        for (; cursor != null && cursor.ordinal() != PostingCursor.DONE; cursor.next()) {
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
