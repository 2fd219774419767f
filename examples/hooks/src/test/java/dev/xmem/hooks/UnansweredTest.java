package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a killed resident may have recorded of an event. */
class UnansweredTest {
    private final Unanswered unanswered = new Unanswered(0, Instant.now().minusSeconds(60));

    private static String event(String name, String fields) {
        return "{\"session_id\":\"s\",\"hook_event_name\":\"" + name + "\"," + fields + "}";
    }

    private static String call(String line) {
        return "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"" + line + "\"},\"tool_use_id\":\"toolu-1\"";
    }

    private boolean wasRecorded(XMemStore store, String event) {
        return unanswered.wasRecorded(store, event.getBytes(StandardCharsets.UTF_8), List.of());
    }

    @Test
    void wasRecorded_failureAfterASuccessOfTheProgram_isNot() {
        String failed = event("PostToolUseFailure", call("docker build .") + ",\"error\":\"Exit code 1\"");
        try (XMemStore store = XMem.inMemory()) {
            store.recordAll(List.of(
                    Success.of("docker", "with a name").keySteps("docker run a").sessionId("s")));
            assertThat(wasRecorded(store, failed)).isFalse();

            store.recordAll(
                    List.of(Failure.of("docker", "build .", "Exit code 1").sessionId("s")));
            assertThat(wasRecorded(store, failed)).isTrue();
        }
    }

    @Test
    void wasRecorded_successOfAnotherCall_isNot() {
        try (XMemStore store = XMem.inMemory()) {
            store.recordAll(List.of(
                    Success.of("docker", "with a name").keySteps("docker run a").sessionId("s")));

            assertThat(wasRecorded(store, event("PostToolUse", call("docker run a") + ",\"tool_response\":\"ok\"")))
                    .isTrue();
            assertThat(wasRecorded(store, event("PostToolUse", call("docker pull b") + ",\"tool_response\":\"ok\"")))
                    .isFalse();
        }
    }

    @Test
    void wasRecorded_command_isItsOwnEntryOnly() {
        String remember = event("UserPromptSubmit", "\"prompt\":\"/xmem:remember Never push to main\"");
        try (XMemStore store = XMem.inMemory()) {
            store.recordAll(List.of(Failure.of("git", "push", "rejected").sessionId("s")));
            store.recordAll(Directive.parseAll("Never push to topic"));
            assertThat(wasRecorded(store, remember)).isFalse();

            store.recordAll(Directive.parseAll("Never push to main"));
            assertThat(wasRecorded(store, remember)).isTrue();
        }
    }
}
