package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries of other replicas in the answers of a store: found, marked, weighted. */
class SyncPeersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ToolError ERROR = ToolError.exit(1, "Failed: didn't find section in config file");

    @TempDir
    Path folder;

    private XMem.Builder builder(String name) {
        return XMem.builder(folder.resolve(name))
                .syncInterval(Duration.ofDays(1))
                .sync(DirectoryBackend.at(folder.resolve("shared")));
    }

    private static Failure fail(XMemStore store, String advice) {
        return store.recordFailure(Failure.of(ToolCall.shell("rclone sync a:b /data"), ERROR)
                .patternAvoid(advice)
                .tags("cloud"));
    }

    /** Publishes the entries of a store; returns its replica id. */
    private String published(String name, String advice) {
        try (XMemStore store = builder(name).open()) {
            fail(store, advice);
            return store.sync(LIMIT).replica();
        }
    }

    @Test
    void recall_failureOfAnother_isToldWithItsProvenance() {
        String anna = published("anna", "Check the remote first");
        try (XMemStore ben = builder("ben").open()) {
            ben.sync(LIMIT);
            assertThat(ben.stats().sync().imported()).isEqualTo(1);
            Advice advice = ben.recall(ToolCall.shell("rclone sync x:y /mnt"), ERROR);
            assertThat(advice.text()).contains("Check the remote first");
            String id = advice.matches().get(0).entry().id();
            assertThat(id).endsWith("-001@" + anna.substring(0, 8));
            assertThat(ben.find(id)).map(Entry::id).contains(id);
            assertThat(ben.search(Query.all().tag("cloud")).text()).contains(id);
            assertThat(ben.search(Query.words("section config")).matches()).hasSize(1);
            assertThat(ben.stats().failures()).isEqualTo(1);
            assertThat(fail(ben, "mine").id()).endsWith("-001");
        }
    }

    @Test
    void peerTrust_lessThanOne_ownComesFirst() {
        published("anna", "Advice of another");
        try (XMemStore ben = builder("ben").open()) {
            fail(ben, "Advice of my own");
            ben.sync(LIMIT);
            Advice advice = ben.recall(ToolCall.shell("rclone sync x:y /mnt"), ERROR);
            assertThat(advice.matches().stream().map(m -> ((Failure) m.entry()).patternAvoid()))
                    .containsExactly("Advice of my own", "Advice of another");
            List<Double> scores = ben.search(Query.words("section config")).matches().stream()
                    .map(match -> match.score())
                    .toList();
            assertThat(scores).hasSize(2);
            assertThat(scores.get(1)).isLessThan(scores.get(0));
        }
    }

    @Test
    void peerTrust_zero_othersAreKeptAndNotLookedAt() {
        published("anna", "Check the remote first");
        try (XMemStore ben = builder("ben").peerTrust(0).open()) {
            ben.sync(LIMIT);
            assertThat(ben.stats().sync().imported()).isEqualTo(1);
            assertThat(ben.recall(ToolCall.shell("rclone sync x:y /mnt"), ERROR).isEmpty())
                    .isTrue();
            assertThat(ben.search(Query.all()).matches()).isEmpty();
            assertThat(ben.stats().failures()).isZero();
        }
        try (XMemStore ben = builder("ben").open()) {
            assertThat(ben.stats().failures()).isEqualTo(1);
        }
    }
}
