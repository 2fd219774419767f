package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.dialect.EventFields;
import dev.xmem.hooks.dialect.HookDialect;
import dev.xmem.testing.HostileBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changed events of every agent: each is answered, or refused with a reason; a true event is answered after them. */
class HookFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FIXTURES = Path.of("src/test/resources/dialects");
    private static final int EVENTS_OF_A_STORE = 250;
    private static final String LESSON = "git push -u origin HEAD";
    private static final String KNOWN = """
            {"session_id": "%s", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "t",
             "tool_input": {"command": "git push origin topic"}, "cwd": "/x", "permission_mode": "default",
             "error": "Exit code 128\\nfatal: The current branch topic has no upstream branch."}""";

    @TempDir
    Path folder;

    private final List<byte[]> seeds = new ArrayList<>();
    private int read;

    @Test
    @Timeout(value = 1_200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void events_changed_areAnsweredOrRefused() throws IOException {
        run(1, 2 * EVENTS_OF_A_STORE, Long.MAX_VALUE);
    }

    /** For as long as {@code -Dxmem.soak.fuzzSeconds} says: an hour without it. */
    @Test
    @Tag("soak")
    void events_changedForLong_areAnsweredOrRefused() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("xmem.soak.fuzzSeconds", 3_600));
        run(System.currentTimeMillis(), Long.MAX_VALUE / 2, end);
    }

    private void run(long first, long count, long end) throws IOException {
        try (Stream<Path> files = Files.list(FIXTURES)) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode test : JSON.readTree(file.toFile()).get("cases")) {
                    seeds.add(JSON.writeValueAsBytes(test.get("event")));
                }
            }
        }
        long events = 0;
        while (events < count && System.nanoTime() < end) {
            Path directory = Files.createTempDirectory(folder, "store");
            try (XMemStore store = XMem.builder(directory)
                    .guardLimit(Duration.ofSeconds(20))
                    .sharedSessions()
                    .open()) {
                record(store);
                for (int i = 0; i < EVENTS_OF_A_STORE; i++, events++) {
                    answer(store, first + events);
                }
                HookResult known = HookService.answer(
                        store, KNOWN.formatted("of " + events).getBytes(StandardCharsets.UTF_8), List.of());
                assertThat(known.out()).as("after " + (first + events)).contains(LESSON);
                assertThat(store.guard().flush(Duration.ofSeconds(60))).isTrue();
            }
        }
        assertThat(read).isPositive();
        System.out.printf("reliability: %,d changed hook events, %,d of them read as events%n", events, read);
    }

    private static void record(XMemStore store) {
        for (String session : List.of("monday", "tuesday")) {
            ToolCall call = ToolCall.shell("git push origin main").session(session);
            String error = "fatal: The current branch main has no upstream branch.";
            store.recordFailure(Failure.of(call, ToolError.exit(128, error)).patternAvoid(LESSON));
        }
    }

    private void answer(XMemStore store, long number) {
        Random random = new Random(number);
        byte[] seed = seeds.get(random.nextInt(seeds.size()));
        byte[] event = new HostileBytes(random).changed(seed, seeds.get(random.nextInt(seeds.size())));
        List<String> agents = HookDialect.agents();
        List<String> options =
                random.nextBoolean() ? List.of() : List.of("--agent", agents.get(random.nextInt(agents.size())));
        try {
            HookResult result = HookService.answer(store, event, options);
            assertThat(result.exitCode()).isIn(0, 2);
            assertThat(result.err())
                    .isEqualTo(result.err().isEmpty() ? "" : result.err().strip() + "\n");
            if (result.out().isEmpty()) {
                readAgain(store, event, options);
            } else {
                read++;
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("event " + number + ": " + new String(event, StandardCharsets.UTF_8), e);
        }
    }

    /** The service turns every exception into a reason; this finds the unintended ones. */
    private void readAgain(XMemStore store, byte[] event, List<String> options) {
        try {
            EventFields fields = EventFields.read(event);
            HookDialect dialect = options.isEmpty() ? HookDialect.of(fields) : HookDialect.of(options.get(1));
            new HookHandler(store, dialect).answer(dialect.read(fields));
            read++;
        } catch (IOException | XMemException e) {
            assertThat(e).message().isNotBlank();
        }
    }
}
