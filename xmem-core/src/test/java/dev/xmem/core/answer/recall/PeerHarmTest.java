package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whether a store's own advice is withheld as harmful is decided by its own sessions: votes and sessions of peers
 * neither withhold it nor bring it back.
 */
class PeerHarmTest {
    private static final String PEER = "5f3a9c01d2e4b6875f3a9c01d2e4b687";
    private static final ToolCall CALL = ToolCall.shell("rclone sync x:y /mnt").session("s");
    private static final ToolError ERROR = ToolError.exit(1, "Failed: didn't find section in config file");

    @TempDir
    Path directory;

    private String record(int failed, int worked) {
        try (XMemStore store = Stores.in(directory)) {
            String id = "";
            for (int i = 0; i < 8; i++) {
                Failure.Draft draft = Failure.of(CALL, ERROR).sessionId("met" + i);
                id = store.recordFailure(i == 0 ? draft.patternAvoid("Name the remote") : draft)
                        .id();
            }
            String advised = id.replace("-008", "-001");
            for (int i = 0; i < failed; i++) {
                assertThat(store.reportOutcome(advised, Outcome.FAILED, "failed" + i))
                        .isTrue();
            }
            for (int i = 0; i < worked; i++) {
                assertThat(store.reportOutcome(advised, Outcome.WORKED, "worked" + i))
                        .isTrue();
            }
            return advised;
        }
    }

    private Advice recall() {
        try (XMemStore store = Stores.in(directory)) {
            return store.recall(CALL, ERROR);
        }
    }

    private void publish(String target, String outcome, int sessions) throws IOException {
        Files.createDirectories(directory.resolve("data/peers").resolve(PEER));
        String[] lines = new String[3 * sessions];
        for (int i = 0; i < sessions; i++) {
            String session = outcome + i;
            lines[3 * i] = "{'ts':'2026-02-13T10:00:00Z','type':'outcome','target':'" + target + "','outcome':'"
                    + outcome + "','session_id':'" + session + "'}";
            for (int again = 1; again <= 2; again++) {
                lines[3 * i + again] = "{'id':'2026-02-13-%03d','ts':'2026-02-13T10:00:00Z','type':'tool_failure',"
                                .formatted(2 * i + again)
                        + "'tool':'rclone','action':'sync','error':'Failed: no section','ctx_hash':"
                        + "'rclone-sync-config-not-found','session_id':'" + session + "'}";
            }
        }
        Stores.append(directory, "peers/" + PEER + "/failures.jsonl", lines);
    }

    @ParameterizedTest
    @CsvSource({"0,0,true", "3,0,true", "3,9,true", "4,1,true", "8,4,true", "8,0,false", "12,0,false"})
    void ownAdvice_whateverPeersVote_isToldOrWithheldAsWithoutThem(int failed, int worked, boolean told)
            throws IOException {
        String advised = record(failed, worked);
        Advice alone = recall();
        assertThat(alone.text().contains("Name the remote")).as(alone.reason()).isEqualTo(told);
        for (String outcome : new String[] {"failed", "worked", "irrelevant"}) {
            for (String target : new String[] {advised, advised + "@", advised + "@" + PEER}) {
                publish(target, outcome, 40);
                Advice with = recall();
                assertThat(with.text().contains("Name the remote"))
                        .as(outcome + " " + with.reason())
                        .isEqualTo(told);
                assertThat(with.text()).doesNotContain("of 40");
                if (told) {
                    assertThat(with.text()).contains(votes(alone.text()));
                }
            }
        }
    }

    /** What the advice says of its votes. */
    private static String votes(String text) {
        int from = text.indexOf("Name the remote");
        return text.substring(from, text.indexOf('\n', from));
    }
}
