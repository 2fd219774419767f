package dev.xmem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnginesTest {
    private Path folder = Path.of("");
    private Map<QueryType, List<TestQuery>> queries = Map.of();
    private DatasetCache cache;

    @BeforeAll
    void prepare(@TempDir Path made) throws Exception {
        folder = made;
        cache = new DatasetCache(folder.toString(), 1500);
        queries = cache.queries();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"xmem", "sqlite", "sqlite-trigram", "ripgrep", "grep", "recipe", "lucene", "rocksdb", "mvstore"})
    void everyEngine_exactQueries_matchesGroundTruth(String name) throws Exception {
        Engine engine = named(name);
        int most = engine.formatName().equals("log") ? 2 : Integer.MAX_VALUE; // each query starts programs
        try (Engine.Searcher answers = opened(engine)) {
            for (QueryType type : engine.supportedTypes()) {
                List<TestQuery> exact = type.exact() ? queries.get(type) : List.of();
                for (TestQuery query : exact.subList(0, Math.min(most, exact.size()))) {
                    assertThat(answers.ids(query)).as(type + " " + query.text()).isEqualTo(query.ids());
                }
            }
        }
    }

    @Test
    void ranked_xmemAndSqlite_findEntriesWithTheWords() throws Exception {
        for (String name : List.of("xmem", "sqlite")) {
            try (Engine.Searcher answers = opened(Engine.named(name))) {
                for (TestQuery query : queries.get(QueryType.RANKED_ONE)) {
                    assertThat(answers.ids(query)).as(name + " " + query.text()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void queries_everyType_fitTheirType() {
        assertThat(queries.keySet()).containsExactlyInAnyOrder(QueryType.values());
        queries.forEach((type, all) -> {
            Set<String> texts = new HashSet<>();
            all.forEach(query -> texts.add(query.text()));
            assertThat(texts).as(type + " has no duplicate query").hasSameSizeAs(all);
            if (type.newestSuffice()) {
                assertThat(all).allMatch(query -> query.ids().size() == type.limit());
            }
        });
        assertThat(queries.get(QueryType.LITERAL_FAR))
                .hasSize(Dataset.MARKS)
                .allMatch(q -> q.ids().size() == 1);
        assertThat(queries.get(QueryType.LITERAL_NEAR_MISS))
                .hasSize(16)
                .allMatch(q -> q.ids().isEmpty());
        assertThat(queries.get(QueryType.PHRASE_ABSENT))
                .hasSize(16)
                .allMatch(q -> q.ids().isEmpty());
    }

    @Test
    void queryFile_roundTrip() throws IOException {
        Path file = folder.resolve("again.ndjson");
        TestQueryFile.write(file, queries);
        assertThat(TestQueryFile.read(file)).isEqualTo(queries);
    }

    @Test
    void dataset_twice_isTheSameAndInTimeOrder() throws Exception {
        List<StoredEntry> first = all(new Dataset(700));
        List<StoredEntry> second = all(new Dataset(700));
        assertThat(lines(first)).isEqualTo(lines(second)).doesNotHaveDuplicates();
        assertThat(first).hasSize(700).isSortedAccordingTo((a, b) -> a.ts().compareTo(b.ts()));
        assertThat(first.stream().map(StoredEntry::id)).doesNotHaveDuplicates();
    }

    @Test
    void dataset_moreEntries_differsOnlyInMarks() throws Exception {
        List<StoredEntry> few = all(new Dataset(700));
        List<StoredEntry> more = all(new Dataset(900)).subList(0, 700);
        for (int i = 0; i < few.size(); i++) {
            assertThat(unmarked(few.get(i))).isEqualTo(unmarked(more.get(i)));
        }
    }

    private static String unmarked(StoredEntry stored) {
        return stored.line().replaceAll(" mark[0-9a-f]{8}", "");
    }

    private static List<StoredEntry> all(Dataset dataset) throws Exception {
        List<StoredEntry> all = new ArrayList<>();
        dataset.forEachChunk(all::addAll);
        return all;
    }

    private static List<String> lines(List<StoredEntry> stored) {
        return stored.stream().map(StoredEntry::line).toList();
    }

    private static Engine named(String name) {
        try {
            return Engine.named(name);
        } catch (IllegalArgumentException e) {
            assumeTrue(!List.of("lucene", "rocksdb", "mvstore").contains(name), e.getMessage());
            throw e;
        }
    }

    private Engine.Searcher opened(Engine engine) throws Exception {
        Path files = cache.directory(engine);
        try {
            return engine.open(files);
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
            throw e;
        }
    }
}
