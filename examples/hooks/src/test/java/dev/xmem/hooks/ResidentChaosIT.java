package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.testing.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hooks at once on one store, while its residents are killed, stopped and continued at random. */
@Timeout(900)
class ResidentChaosIT extends HookScriptCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void hooksAtOnce_residentsKilled_everyEventIsRecordedOnce() throws Exception {
        hooksAtOnce(30);
    }

    @Test
    @Tag("soak")
    void hooksAtOnce_residentsKilled_everyEventIsRecordedOnce_long() throws Exception {
        hooksAtOnce(200);
    }

    private void hooksAtOnce(int hooks) throws Exception {
        hook.leaveResident();
        AtomicBoolean ended = new AtomicBoolean();
        Thread killer = new Thread(() -> kill(ended));
        ExecutorService executor = Executors.newFixedThreadPool(hooks);
        try {
            killer.start();
            List<Future<Programs.Result>> results = new ArrayList<>();
            for (int i = 0; i < hooks; i++) {
                String event = HookScript.failure("session-" + i, "package-" + i);
                results.add(executor.submit(() -> hook.run(event)));
            }
            for (Future<Programs.Result> result : results) {
                assertThat(result.get().exitCode()).isZero();
                assertThat(result.get().err()).isEmpty();
            }
        } finally {
            ended.set(true);
            killer.join();
            executor.shutdown();
        }
        HookScript.await(() -> hook.late().isEmpty());
        Map<String, Integer> times = new TreeMap<>();
        for (String line : hook.recorded()) {
            JsonNode entry = JSON.readTree(line);
            times.merge(entry.get("session_id").asText(), 1, Integer::sum);
        }
        times.remove("first");
        assertThat(times).hasSize(hooks);
        assertThat(times.values()).containsOnly(1);
    }

    private void kill(AtomicBoolean ended) {
        Random random = new Random(7);
        try {
            while (!ended.get()) {
                Thread.sleep(50 + random.nextInt(300));
                for (ProcessHandle resident : hook.residents()) {
                    if (random.nextBoolean()) {
                        HookScript.signal("KILL", resident.pid());
                    } else {
                        HookScript.signal("STOP", resident.pid());
                        Thread.sleep(100 + random.nextInt(500));
                        HookScript.signal("CONT", resident.pid());
                    }
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
