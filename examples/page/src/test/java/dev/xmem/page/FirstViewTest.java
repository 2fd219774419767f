package dev.xmem.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a browser asks for at first: its bytes, and the server's time beside that of {@code stats}, each in a store that
 * was opened for it. With {@code -Dxmem.page.entries=1000000} in a large store, as {@code docs/BENCHMARKS.md} shows it.
 */
class FirstViewTest {
    private static final int ENTRIES = Integer.getInteger("xmem.page.entries", 3_000);
    private static final int ROUNDS = 5;
    private static final int BATCH = 1_000;
    private static final int WIRE_BYTES = 300_000;
    private static final List<String> REQUESTS = List.of(
            "/",
            "/page.css",
            "/app.js",
            "/ui.js",
            "/views.js",
            "/icon.svg",
            "/api/hello",
            "/api/overview",
            "/api/version");

    @TempDir
    Path folder;

    @Test
    void firstView_isSmall() throws IOException {
        fill();
        List<Long> views = new ArrayList<>();
        List<Long> stats = new ArrayList<>();
        int bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (XMemStore store = XMem.open(folder)) {
                long begin = System.nanoTime();
                assertThat(store.stats().text()).isNotBlank();
                stats.add(System.nanoTime() - begin);
            }
            try (XMemStore store = XMem.open(folder);
                    PageServer server =
                            PageServer.start(store, folder, Client.TOKEN, new PageServer.Options(0, null, false))) {
                bytes = 0;
                long begin = System.nanoTime();
                Client browser = new Client(server).entered();
                for (String request : REQUESTS) {
                    Client.Answer answer = browser.get(request);
                    assertThat(answer.status()).as(request).isEqualTo(200);
                    bytes += answer.body().getBytes(StandardCharsets.UTF_8).length;
                }
                views.add(System.nanoTime() - begin);
            }
        }
        assertThat(bytes).isBetween(10_000, WIRE_BYTES);
        report(views, stats, bytes);
    }

    @SuppressWarnings("SystemOut")
    private static void report(List<Long> views, List<Long> stats, int bytes) {
        PrintStream out = System.out;
        out.printf(
                Locale.ROOT,
                "first view of %,d entries: %,d bytes, %d µs, stats %d µs, ratio %.2f%n",
                ENTRIES,
                bytes,
                median(views),
                median(stats),
                (double) median(views) / median(stats));
    }

    private static long median(List<Long> nanos) {
        Collections.sort(nanos);
        return TimeUnit.NANOSECONDS.toMicros(nanos.get(nanos.size() / 2));
    }

    private void fill() {
        try (XMemStore store = XMem.open(folder)) {
            for (int done = 0; done < ENTRIES; done += BATCH) {
                int first = done;
                store.recordAll(IntStream.range(first, Math.min(ENTRIES, first + BATCH))
                        .mapToObj(i -> Failure.of("tool-" + i % 97, "build", "tool: error " + i % 2_000 + ": failed")
                                .sessionId("session-" + i / 50))
                        .toList());
            }
        }
    }
}
