package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process for each hostile line: after it the server answers, and it ends with its input. */
@Timeout(600)
class HostileLinesIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final AtomicLong slowestEnd = new AtomicLong();

    @Test
    @Tag("soak")
    void eachLine_isFollowedByAnswersAndTheEnd() throws Exception {
        List<Future<?>> sessions = new ArrayList<>();
        ExecutorService twoAtOnce = Executors.newFixedThreadPool(2);
        try {
            HostileLines.all().forEach((name, line) -> sessions.add(twoAtOnce.submit(() -> run(name, line, true))));
            HostileLines.torn().forEach((name, line) -> sessions.add(twoAtOnce.submit(() -> run(name, line, false))));
            for (Future<?> session : sessions) {
                session.get();
            }
        } finally {
            twoAtOnce.shutdownNow();
        }
        int lines = sessions.size();

        System.out.println(
                "hostile lines: " + lines + " sessions, slowest end " + slowestEnd.get() + " ms after its input");
        assertThat(lines).isGreaterThanOrEqualTo(40);
    }

    private Void run(String name, byte[] line, boolean asks) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(BuiltJarIT.server(folder.resolve("store")))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        OutputStream in = process.getOutputStream();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            Thread writer = new Thread(() -> write(in, line, asks));
            writer.start();
            Set<String> answered = new HashSet<>();
            while (asks && !answered.containsAll(Set.of("after", "call"))) {
                String answer = out.readLine();
                assertThat(answer).as("an answer after: " + name).isNotNull();
                JsonNode message = JSON.readTree(answer);
                if (message.has("result")) {
                    answered.add(message.get("id").asText());
                }
            }
            writer.join();
            long ended = System.nanoTime();
            in.close();
            out.lines().forEach(rest -> {}); // until the process has closed it
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ends after: " + name)
                    .isTrue();
            if (asks) { // otherwise the time is that of the start
                slowestEnd.accumulateAndGet(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ended), Math::max);
            }
            assertThat(process.exitValue()).as(name).isZero();
            return null;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void write(OutputStream in, byte[] line, boolean asks) {
        try {
            in.write(line);
            if (asks) {
                in.write(HostileLines.PING.getBytes(StandardCharsets.UTF_8));
                in.write(HostileLines.CALL.getBytes(StandardCharsets.UTF_8));
            }
            in.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
