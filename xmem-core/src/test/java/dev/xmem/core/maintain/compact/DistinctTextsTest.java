package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DistinctTextsTest {
    @Test
    void add_fewAndManyTexts_keepsEachOnceInTheirOrder() {
        for (int different = 0; different < 50; different++) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 2 * different; i++) {
                texts.add("text " + i * 7 % different);
            }
            DistinctTexts distinct = DistinctTexts.of(texts);
            Set<String> expected = new LinkedHashSet<>(texts);
            assertThat(distinct.inOrder()).containsExactlyElementsOf(expected);
            assertThat(distinct.add("text 0")).isEqualTo(!expected.contains("text 0"));
            assertThat(distinct.add("another")).isTrue();
        }
    }
}
