package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Stream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which entries a commit message names. */
class CommitMessageTest {
    static List<Arguments> messages() {
        return List.of(
                arguments(
                        "2026-11-26-001",
                        "2026-11-26-004",
                        "X-MEM: Record 2 entries (2026-11-26-001 … 2026-11-26-004)"),
                arguments("2026-11-26-001", "2026-11-26-001", "X-MEM: Record 2 entries"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void of_theEntriesOfTwoReplicas_namesNoRangeOfOneId(String first, String last, String message) {
        assertThat(CommitMessage.of(List.of(chunk("1", first), chunk("2", last))))
                .isEqualTo(message);
    }

    private static Chunk chunk(String digit, String id) {
        String line = "{\"id\":\"" + id + "\",\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"x\"}\n";
        return Chunk.of(new Stream(digit.repeat(32), "failures"), 1, 0, line.getBytes(StandardCharsets.UTF_8));
    }
}
