package dev.xmem.semantic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SemanticSearchTest {
    private final MiniLm model = new MiniLm();

    @Test
    void answer_inOtherWords_findsWhatIsMeant() {
        assertThat(SemanticSearch.answer(model, "the settings file lacks what it wants")).contains("meaning is close");
    }

    @Test
    void answer_aboutSomethingElse_isNothing() {
        assertThat(SemanticSearch.answer(model, "how long do I boil an egg")).isEqualTo("nothing");
    }

    @Test
    void embed_always_oneVectorAText() {
        assertThat(model.embed(List.of("one", "", "three"))).hasSize(3).allMatch(vector -> vector.length == 384);
    }
}
