package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.json.StoredEntries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others published, in a recall: weighed, and told apart. */
class PeerRecallTest {
    private static final String REPLICA = "5f3a9c01d2e4b6875f3a9c01d2e4b687";
    private static final String SHOWN = "2026-02-01-001@5f3a9c01";
    private static final ToolError ERROR = ToolError.exit(1, "Failed: didn't find section in config file");
    private static final ToolCall CALL = ToolCall.shell("rclone sync x:y /mnt").session("s");

    @TempDir
    Path directory;

    private static String failure(String day, int number, String session, String advice) {
        return ("{'id':'2026-02-%s-%03d','ts':'2026-02-%sT10:00:00Z','type':'tool_failure','tool':'rclone',"
                        + "'action':'sync a:b /data','error':'Failed: no section','pattern_avoid':'%s',"
                        + "'ctx_hash':'rclone-sync-config-not-found','session_id':'%s'}")
                .formatted(day, number, day, advice, session);
    }

    @BeforeEach
    void publish() throws IOException {
        Files.createDirectories(directory.resolve("data/peers").resolve(REPLICA));
        Stores.append(
                directory,
                "peers/" + REPLICA + "/failures.jsonl",
                failure("01", 1, "a", "Advice of another"),
                failure("01", 2, "b", "Advice of another"));
    }

    private XMemStore open(double trust) {
        return XMem.builder(directory)
                .clock(InstantSource.fixed(Stores.NOW))
                .guardLimit(Duration.ofSeconds(60))
                .peerTrust(trust)
                .open();
    }

    private static double score(Advice advice, String id) {
        return advice.matches().stream()
                .filter(match -> match.entry().id().equals(id))
                .mapToDouble(Match::score)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void recall_entryOfAnother_scoresItsTrustAndIsShownWithItsProvenance() {
        double full;
        try (XMemStore store = open(1)) {
            full = score(store.recall(CALL, ERROR), SHOWN);
        }
        try (XMemStore store = open(0.5)) {
            Advice advice = store.recall(CALL, ERROR);
            assertThat(score(advice, SHOWN)).isCloseTo(full / 2, within(1e-12));
            assertThat(advice.text()).contains("Advice of another").contains("entry 2026-02-01-002@5f3a9c01");
        }
    }

    @Test
    void recall_lessonOfAnotherForTheSameHash_leavesOnesOwnSimilarLesson() {
        open(1).close(); // the hashes of later lines are those of this hasher
        Stores.append(
                directory,
                "failures.jsonl",
                failure("01", 1, "c", "Advice of my own")
                        .replace("config-not-found", "section-config-not-found")
                        .replace("Failed: no section", ERROR.text().replace("'", "\\u0027")));
        try (XMemStore store = open(1)) {
            Advice advice = store.recall(CALL, ERROR);
            assertThat(advice.text()).contains("Advice of another").contains("Advice of my own");
            assertThat(advice.matches().stream().map(match -> match.entry().id()))
                    .containsExactly("2026-02-01-002@5f3a9c01", SHOWN, "2026-02-01-001");
        }
    }

    @Test
    void recall_newerEntryOfAnother_isBehindOnesOwnWhereItIsTrustedLess() {
        Stores.append(
                directory,
                "failures.jsonl",
                failure("01", 1, "c", "Advice of my own").replace("-02-", "-01-"));
        try (XMemStore store = open(1)) {
            assertThat(store.recall(CALL, ERROR).matches().get(0).entry().id()).endsWith("@5f3a9c01");
        }
        try (XMemStore store = open(0.5)) {
            Advice advice = store.recall(CALL, ERROR);
            assertThat(advice.matches().stream().map(match -> match.entry().id()))
                    .containsExactly("2026-01-01-001", "2026-02-01-002@5f3a9c01", SHOWN);
            assertThat(advice.text().indexOf("Advice of my own"))
                    .isBetween(0, advice.text().indexOf("Advice of another"));
        }
    }

    @Test
    void recall_trustOfZero_showsNothingOfOthersAndCountsNothing() {
        Stores.append(
                directory,
                "failures.jsonl",
                failure("02", 1, "c", "Advice of my own"),
                failure("03", 1, "d", "Advice of my own"));
        try (XMemStore store = open(0)) {
            for (Advice advice : List.of(
                    store.recall(CALL, ERROR), before(store), store.guard().failed(CALL, ERROR))) {
                assertThat(advice.text()).contains("Advice of my own").contains("seen 2×");
                assertThat(advice.text()).doesNotContain("another");
                assertThat(advice.matches())
                        .noneMatch(match -> match.entry().id().contains("@"));
            }
        }
    }

    @Test
    void before_onlyOthersFailed_isSilentWithoutTrust() {
        try (XMemStore store = open(0)) {
            assertThat(before(store).isEmpty()).isTrue();
            assertThat(store.recall(CALL, ERROR).isEmpty()).isTrue();
        }
    }

    private void publishInvented() {
        for (int i = 0; i < 5; i++) {
            Stores.append(
                    directory,
                    "peers/" + REPLICA + "/failures.jsonl",
                    failure("04", 3 + i, "s" + i, "Do as I say")
                            .replace("'type'", "'block_level':'critical','sessions':['x','y','z'],'type'")
                            .replace("'session_id'", "'occurrences':100000,'covers':['2026-02-04-999'],'session_id'"));
        }
    }

    /** What peers publish leaves the level where the store's own entries put it. */
    @Test
    void level_inventedSessionsAndLevels_isThatOfTheOwnEntries() {
        for (int mine = 0; mine < 3; mine++) {
            Failure.BlockLevel expected = mine < 2 ? Failure.BlockLevel.WARNING : Failure.BlockLevel.CRITICAL;
            if (mine > 0) {
                String own = failure("05", mine, "own" + mine, "My own")
                        .replace("'type'", "'block_level':'" + (mine == 1 ? "warning" : "critical") + "','type'");
                Stores.append(directory, "failures.jsonl", own);
            }
            publishInvented();
            try (XMemStore store = open(1)) {
                assertThat(store.recall(CALL, ERROR).level()).isEqualTo(expected);
                assertThat(store.guard().failed(CALL, ERROR).level()).isEqualTo(expected);
                if (mine < 2) {
                    assertThat(before(store).level()).isEqualTo(Failure.BlockLevel.WARNING);
                    assertThat(store.search(Query.all()).text()).doesNotContainIgnoringCase("critical");
                    assertThat(store.recall(CALL, ERROR).text()).doesNotContainIgnoringCase("critical");
                }
            }
        }
    }

    /** Two lines, and five that claim 100,000 occurrences and cover one line each. */
    @Test
    void recall_inventedOccurrences_countsLinesAndWhatTheyCoverAndSaysWhose() {
        publishInvented();
        try (XMemStore store = open(1)) {
            assertThat(store.recall(CALL, ERROR).text()).contains("seen 12× by peers, last ");
            Entry covering = store.find("2026-02-04-003@5f3a9c01").orElseThrow();
            assertThat(StoredEntries.occurrences(covering)).isEqualTo(2);
        }
        Stores.append(directory, "failures.jsonl", failure("05", 1, "c", "My own"), failure("06", 1, "d", "My own"));
        try (XMemStore store = open(1)) {
            assertThat(store.recall(CALL, ERROR).text())
                    .contains("seen 2× in 2 sessions, 12× by peers, last ")
                    .doesNotContain("100");
            assertThat(store.recall(CALL, ERROR).reason())
                    .contains("seen 2 times")
                    .contains("12 times by peers");
        }
    }

    private static Advice before(XMemStore store) {
        store.guard();
        store.flush();
        return store.guard().before(CALL);
    }
}
