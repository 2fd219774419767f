package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.text.analysis.Lexicon;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the name of a program, a service or a library in a request says, and how many hits a page has. */
final class NamesTest {
    private final MemoryTextIndex index = new MemoryTextIndex();
    private int lines;

    @Test
    void name_ofALibrary_outranksAnOrdinaryWord() {
        add("java", "flyway lost its kettle");
        add("java", "crimson teapot");
        fill();
        assertThat(ordinals("flyway is crimson")).containsExactly(0, 1);
    }

    @Test
    void name_ofAService_isTheOneOfItsPort() {
        add("curl", "http 409 from localhost:5984");
        add("curl", "http 409 from localhost:9200");
        fill();
        assertThat(ordinals("couchdb conflict")).containsExactly(0);
        assertThat(ordinals("elasticsearch conflict")).containsExactly(1);
    }

    @Test
    void name_thatNoEntryHas_asksForSomethingElse() {
        add("make", "kettle boiled over");
        fill();
        assertThat(ordinals("wobbly kettle")).containsExactly(0);
        assertThat(ordinals("vagrant kettle")).isEmpty();
    }

    @Test
    void ordinaryWord_thatIsAlsoAName_isNone() {
        assertThat(Lexicon.isName("vagrant")).isTrue();
        assertThat(Lexicon.isName("github")).isTrue();
        assertThat(Lexicon.isName("linear")).isFalse();
        assertThat(Lexicon.isName("bundler")).isFalse();
        assertThat(Lexicon.isName("connection")).isFalse();
    }

    @Test
    void hitsAfterTheThird_needMoreThanTheFirst() {
        fill();
        int first = lines;
        add("ls", "alpha alpha beta beta");
        for (int i = 0; i < 6; i++) {
            add("ls", "alpha beta" + " delta".repeat(i));
        }
        assertThat(ordinals("alpha beta")).containsExactly(first, first + 1, first + 2);
        assertThat(rank("alpha beta").total()).isEqualTo(3);
    }

    /** Adds ten entries, so that a word that only one entry has is rare. */
    private void fill() {
        for (int i = 0; i < 10; i++) {
            add("other", "nothing of interest");
        }
    }

    private void add(String tool, String text) {
        index.add(lines++, fields -> {
            fields.text(FieldBoost.TOOL, tool);
            fields.text(FieldBoost.TEXT, text);
        });
    }

    private List<Integer> ordinals(String request) {
        return rank(request).hits().stream().map(TopHits.ScoredHit::ordinal).toList();
    }

    private TopHits rank(String request) {
        LogSlice slice = new LogSlice(List.of(new LogSlice.Part(index, 0)), lines, null, 1);
        return TextSearch.rank(List.of(slice), request);
    }
}
