package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Searches in words with an embedder. */
class SemanticSearchTest {
    /** Knows three topics, one a dimension, each by several phrases. */
    private static final class Topics implements Embedder {
        private static final List<List<String>> TOPICS = List.of(
                List.of("section in config", "settings file"),
                List.of("no upstream", "push"),
                List.of("port is already allocated", "busy socket"));
        private final List<Integer> batches = new ArrayList<>();

        @Override
        public String id() {
            return "topics";
        }

        @Override
        public List<float[]> embed(List<String> texts) {
            batches.add(texts.size());
            return texts.stream().map(Topics::vector).toList();
        }

        private static float[] vector(String text) {
            float[] vector = new float[TOPICS.size()];
            for (int i = 0; i < vector.length; i++) {
                String said = text.toLowerCase(Locale.ROOT);
                vector[i] = TOPICS.get(i).stream().anyMatch(said::contains) ? 3 : 0;
            }
            return vector;
        }
    }

    private final Topics topics = new Topics();
    private final XMemStore store = XMem.inMemoryBuilder().embedder(topics).open();

    private String failure(String tool, String error) {
        return store.recordFailure(Failure.of(tool, "run", error)).id();
    }

    @Test
    void search_inOtherWords_findsTheEntry() {
        failure("git", "fatal: The current branch x has no upstream branch.");
        String rclone = failure("rclone", "didn't find section in config file");

        Page page = store.search(Query.words("settings file lacks an entry"));

        assertThat(page.matches()).hasSize(1);
        Match match = page.matches().get(0);
        assertThat(match.entry().id()).isEqualTo(rclone);
        assertThat(match.explanation()).contains("its meaning is close (1.00)");
    }

    @Test
    void search_hitOfBothRankings_precedesHitOfOne() {
        String words = failure("docker", "the socket of the daemon is gone");
        String both = failure("docker", "busy socket: port is already allocated");

        Page page = store.search(Query.words("busy socket"));

        assertThat(page.matches()).extracting(match -> match.entry().id()).startsWith(both);
        assertThat(page.matches().get(0).explanation()).contains("it has").contains("meaning");
        assertThat(words).isNotEqualTo(both);
    }

    @Test
    void search_belowTheFloor_findsNothing() {
        failure("git", "fatal: The current branch x has no upstream branch.");

        assertThat(store.search(Query.words("ladder")).matches()).isEmpty();
    }

    @Test
    void search_filtered_showsOnlyWhatPasses() {
        failure("git", "fatal: The current branch x has no upstream branch.");

        assertThat(store.search(Query.words("push").tool("npm")).matches()).isEmpty();
        assertThat(store.search(Query.words("push").tool("git")).matches()).hasSize(1);
    }

    @Test
    void search_again_embedsOnlyWhatIsNew() {
        failure("git", "fatal: The current branch x has no upstream branch.");
        store.search(Query.words("push"));
        failure("git", "fatal: The current branch y has no upstream branch.");
        topics.batches.clear();

        Page page = store.search(Query.words("push"));

        assertThat(page.matches()).hasSize(2);
        assertThat(topics.batches).containsExactlyInAnyOrder(1, 1);
    }

    @Test
    void search_pagedByCursor_showsEachOnce() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(failure("docker", "port is already allocated, try " + i));
        }
        List<String> seen = new ArrayList<>();
        String cursor = null;
        do {
            Query query = Query.words("busy socket").limit(7);
            Page page = store.search(cursor == null ? query : query.after(cursor));
            page.matches().forEach(match -> seen.add(match.entry().id()));
            cursor = page.cursor();
        } while (cursor != null);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void search_anEmbedderThatMiscounts_saysSo() {
        Embedder miscounting = new Embedder() {
            @Override
            public String id() {
                return "miscounting";
            }

            @Override
            public List<float[]> embed(List<String> texts) {
                return List.of(new float[] {1});
            }
        };
        try (XMemStore other = XMem.inMemoryBuilder().embedder(miscounting).open()) {
            other.recordFailure(Failure.of("git", "push", "one"));
            other.recordFailure(Failure.of("git", "push", "two"));

            assertThatThrownBy(() -> other.search(Query.words("one")))
                    .isInstanceOf(IllegalStateException.class)
                    .isNotInstanceOf(XMemException.class)
                    .hasMessageContaining("miscounting");
        }
    }
}
