package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text of advice that is told again, and when it is made again. */
class ToldAdviceTest {
    private static final ToolCall CALL = ToolCall.shell("npm install left-pad");
    private static final ToolError ERROR = ToolError.exit(1, "npm ERR! code ETIMEDOUT");

    /** When the fix was recorded. */
    private static final Instant FIXED = Instant.parse("2026-02-01T10:00:00Z");

    @TempDir
    Path directory;

    private Instant now = Stores.NOW;
    private XMemStore store;

    @BeforeEach
    void open() {
        store = open(16 << 20);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private XMemStore open(long cacheBytes) {
        return TestStores.builder(directory, 8)
                .clock(() -> now)
                .cacheBytes(cacheBytes)
                .open();
    }

    private String record(String lesson, Duration earlier) {
        now = now.minus(earlier);
        String id = store.recordFailure(
                        Failure.of(CALL, ERROR).patternAvoid(lesson).sessionId("s" + lesson.length()))
                .id();
        now = now.plus(earlier);
        return id;
    }

    /** A digest of about 90 KB, and 60 KB of texts. */
    @Test
    void recall_textsOfManySubjects_countAsMemory() {
        List<String> remotes =
                IntStream.range(0, 30).mapToObj(i -> "remote" + i).toList();
        for (String remote : remotes) {
            remoteFailure(remote, "Ask for the key of " + remote + ", " + "again and ".repeat(27));
        }
        now = now.plus(Duration.ofDays(3));
        assertThat(keptTexts(store, remotes)).isEqualTo(remotes.size());
        try (XMemStore small = open(110_000)) {
            assertThat(keptTexts(small, remotes)).isLessThan(remotes.size());
        }
    }

    /** How many texts of these subjects a store still has after it has told all. */
    private static long keptTexts(XMemStore asked, List<String> remotes) {
        List<String> texts = remotes.stream()
                .map(remote -> asked.recall(remote(remote), noSection(remote)).text())
                .toList();
        return IntStream.range(0, texts.size())
                .filter(i -> isSame(
                        asked.recall(remote(remotes.get(i)), noSection(remotes.get(i)))
                                .text(),
                        texts.get(i)))
                .count();
    }

    @SuppressWarnings("ReferenceEquality") // equal texts are made by each recall
    private static boolean isSame(String text, String other) {
        return text == other;
    }

    /** At a moment at which no age is told in other words. */
    @Test
    void recall_fixThatBecomesStale_isToldAsOld() {
        fix(record("Wait a minute", Duration.ofDays(1)));
        now = FIXED.plus(Duration.ofDays(180));
        assertThat(recall().text()).contains("(unverified, confidence");
        now = now.plusMillis(1);
        assertThat(recall().text()).contains("(unverified, old, confidence");
    }

    /** Another program records a success with the hash of a failure. */
    private void fix(String failure) {
        String hash =
                store.find(failure).map(entry -> ((Failure) entry).ctxHash()).orElseThrow();
        Stores.append(
                directory,
                "successes.jsonl",
                "{'id':'2026-02-01-001','ts':'" + FIXED + "','type':'tool_success','tool':'npm',"
                        + "'pattern_name':'npm waited','key_steps':['sleep 60'],'ctx_hash':'" + hash + "'}");
    }

    private Failure remoteFailure(String remote, String lesson) {
        return store.recordFailure(Failure.of(remote(remote), noSection(remote)).patternAvoid(lesson));
    }

    private static ToolCall remote(String remote) {
        return ToolCall.shell("rclone sync " + remote + ":b /data");
    }

    private static ToolError noSection(String remote) {
        return ToolError.exit(
                1, "Failed to create file system for \"" + remote + ":\": didn't find section in config file");
    }

    private Advice recall() {
        return store.recall(CALL, ERROR);
    }

    /** What a store without a cache answers now, without the nonce of its fence. */
    private String fresh() {
        try (XMemStore uncached = open(0)) {
            return shown(uncached.recall(CALL, ERROR));
        }
    }

    private static String shown(Advice advice) {
        StringBuilder shown = new StringBuilder(advice.text().replaceAll("xmem [0-9a-f]{8}", "xmem"));
        for (Match match : advice.matches()) {
            shown.append('\n').append(match.entry().id()).append(' ').append(match.score());
        }
        return shown.toString();
    }

    @Test
    void recall_again_hasTheTextThatWasMadeBefore() {
        record("Wait a minute", Duration.ofDays(3));
        Advice first = recall();
        now = now.plus(Duration.ofHours(1));
        assertThat(recall().text()).isSameAs(first.text()).contains("3 days ago");
        assertThat(recall().tokens()).isEqualTo(first.tokens());
        assertThat(recall().matches()).hasSize(1);
        assertThat(recall().matches().get(0).score())
                .isLessThan(first.matches().get(0).score());
    }

    @Test
    void recall_anyLaterMoment_isThatOfAStoreWithoutACache() {
        fix(record("Wait a minute", Duration.ofDays(1)));
        assertThat(recall().text()).contains("sleep 60");
        Set<String> texts = new HashSet<>();
        for (Duration step : List.of(
                Duration.ZERO,
                Duration.ofSeconds(59),
                Duration.ofSeconds(1),
                Duration.ofMinutes(58),
                Duration.ofMillis(59_999),
                Duration.ofMillis(1),
                Duration.ofHours(22),
                Duration.ofMillis(3_599_999),
                Duration.ofMillis(1),
                Duration.ofDays(27),
                Duration.ofDays(1),
                Duration.ofDays(29),
                Duration.ofDays(1),
                Duration.ofDays(119),
                Duration.ofMillis(1),
                Duration.ofDays(1),
                Duration.ofDays(184),
                Duration.ofDays(1),
                Duration.ofDays(365),
                Duration.ofDays(-365))) {
            now = now.plus(step);
            String expected = fresh();
            assertThat(shown(recall())).as("%s at %s", step, now).isEqualTo(expected);
            assertThat(shown(recall())).as("again, %s at %s", step, now).isEqualTo(expected);
            texts.add(recall().text());
        }
        assertThat(texts).hasSizeGreaterThan(8);
    }

    /** The newer lesson is first as long as it is fresh; then the votes on the older one count for more. */
    @Test
    void recall_orderThatChangesWithTime_isThatOfAStoreWithoutACache() {
        String older = record("Wait a minute", Duration.ofDays(90));
        String newer = record("Use the mirror instead", Duration.ZERO);
        now = now.minus(Duration.ofDays(89));
        store.reportOutcome(older, Outcome.WORKED, "voter");
        now = now.plus(Duration.ofDays(89));
        assertThat(recall().matches().get(0).entry().id()).isEqualTo(newer);
        String last = newer;
        int changes = 0;
        for (int day = 0; day < 150; day++) {
            String expected = fresh();
            assertThat(shown(recall())).as("day %d", day).isEqualTo(expected);
            String first = recall().matches().get(0).entry().id();
            changes += first.equals(last) ? 0 : 1;
            last = first;
            now = now.plus(Duration.ofDays(1));
        }
        assertThat(changes).isEqualTo(1);
        assertThat(last).isEqualTo(older);
    }

    @Test
    void recall_afterAVote_tellsIt() {
        String id = record("Wait a minute", Duration.ofDays(3));
        assertThat(recall().text()).contains("unverified");
        store.reportOutcome(id, Outcome.WORKED, "voter");
        assertThat(recall().text()).contains("worked 1 of 1");
    }

    @Test
    void recall_afterAnotherStoreRecorded_tellsIt() {
        record("Wait a minute", Duration.ofDays(3));
        assertThat(recall().text()).contains("seen 1×");
        try (XMemStore other = open(16 << 20)) {
            other.recordFailure(Failure.of(CALL, ERROR));
        }
        assertThat(recall().text()).contains("seen 2×");
    }

    @Test
    void matches_readAfterClose_areThere() {
        String id = record("Wait a minute", Duration.ofDays(3));
        recall();
        Advice advice = recall();
        store.close();
        assertThat(advice.matches()).extracting(match -> match.entry().id()).containsExactly(id);
        assertThat(((Failure) advice.matches().get(0).entry()).patternAvoid()).isEqualTo("Wait a minute");
    }

    /** Recalls of two subjects get two texts, and the digest keeps both. */
    @Test
    void recall_otherSubject_hasItsOwnText() {
        Failure first = remoteFailure("home", "Run rclone config");
        Failure second = remoteFailure("work", "Ask for the key");
        assertThat(first.ctxHash()).isEqualTo(second.ctxHash());
        now = now.plus(Duration.ofDays(3));
        Advice home = store.recall(remote("home"), noSection("home"));
        Advice work = store.recall(remote("work"), noSection("work"));
        assertThat(home.matches().get(0).entry().id()).isEqualTo(first.id());
        assertThat(work.matches().get(0).entry().id()).isEqualTo(second.id());
        assertThat(store.recall(remote("home"), noSection("home")).text()).isSameAs(home.text());
        assertThat(store.recall(remote("work"), noSection("work")).text()).isSameAs(work.text());
        Advice other = store.recall(remote("lab"), noSection("lab"));
        assertThat(store.recall(remote("van"), noSection("van")).text()).isSameAs(other.text());
    }
}
