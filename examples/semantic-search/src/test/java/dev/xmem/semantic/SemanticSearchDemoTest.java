package dev.xmem.semantic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SemanticSearchDemoTest {
    private final MiniLm model = new MiniLm();

    @Test
    void answer_differentWords_findsEntryWithSameMeaning() {
        assertThat(SemanticSearchDemo.answer(model, "the settings file lacks what it wants"))
                .contains("meaning is close");
    }

    @Test
    void answer_unrelatedQuestion_isNothing() {
        assertThat(SemanticSearchDemo.answer(model, "how long do I boil an egg"))
                .isEqualTo("nothing");
    }

    @Test
    void embed_texts_oneVectorPerText() {
        assertThat(model.embed(List.of("one", "", "three"))).hasSize(3).allMatch(vector -> vector.length == 384);
    }
}
