package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that keeps digests of families, compared with one that has no cache and reads every line again. More
 * histories: {@code -Dxmem.histories=150}.
 */
class FamilyDigestPropertyTest {
    private static final String PEER = "5f3a9c01d2e4b6875f3a9c01d2e4b687";
    private static final List<ToolCall> CALLS = List.of(
            ToolCall.shell("rclone sync a:b /data"),
            ToolCall.shell("npm install left-pad"),
            ToolCall.shell("frob --now x"),
            ToolCall.shell("rclone sync b:c /data"),
            ToolCall.shell("npm install right-pad"));
    private static final List<ToolError> ERRORS = List.of(
            ToolError.exit(1, "Failed: didn't find section in config file"),
            ToolError.exit(1, "npm ERR! code ETIMEDOUT"),
            ToolError.exit(2, "it did not work"),
            ToolError.exit(1, "Failed: didn't find section in config file"),
            ToolError.exit(1, "npm ERR! code ETIMEDOUT"));
    /** How far the clock moves between two recalls, in milliseconds: to another age, and back. */
    private static final List<Long> LATER =
            List.of(0L, 1L, 999L, 20_000L, 61_000L, 3_700_000L, 90_000_000L, 200L * 86_400_000, -5_000L);

    private static final List<String> ADVICE = List.of("Run rclone config first.", "Use npm ci", "Do not use npm ci");

    @TempDir
    Path directory;

    @Test
    void recall_anyHistory_isThatOfAStoreWithoutACache() throws IOException {
        long first = new Random().nextLong();
        for (int i = 0; i < Integer.getInteger("xmem.histories", 2); i++) {
            new History(Files.createDirectories(directory.resolve("s" + i)), first + i).run();
        }
    }

    /** Two stores, as of two processes, each used by two threads: no digest stays that no longer holds. */
    @Test
    void recall_afterSeveralThreadsWrote_isThatOfAStoreWithoutACache() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        try (XMemStore one = Stores.in(directory);
                XMemStore other = Stores.in(directory)) {
            List<String> ids = new CopyOnWriteArrayList<>();
            List<Callable<Void>> threads = new ArrayList<>();
            for (XMemStore store : List.of(one, other, one, other)) {
                threads.add(() -> {
                    write(store, ids);
                    return null;
                });
            }
            ExecutorService pool = Executors.newFixedThreadPool(threads.size());
            try {
                for (Future<Void> done : pool.invokeAll(threads)) {
                    done.get();
                }
            } finally {
                pool.shutdown();
            }
            Instant now = Stores.NOW;
            try (XMemStore uncached = TestStores.builder(directory, 8)
                    .clock(() -> now)
                    .cacheBytes(0)
                    .readOnly()
                    .open()) {
                for (int call = 0; call < CALLS.size(); call++) {
                    String expected = History.answer(uncached, call);
                    assertThat(History.answer(one, call)).isEqualTo(expected);
                    assertThat(History.answer(other, call)).isEqualTo(expected);
                }
            }
        }
    }

    /** Most sightings have no lesson, and there are more than are read: the lessons stay, the newest first. */
    @Test
    void recall_moreSightingsThanAreRead_tellsTheLessons() throws IOException {
        Random random = new Random(17);
        Instant now = Stores.NOW;
        try (XMemStore store = TestStores.builder(directory, 8).clock(() -> now).open()) {
            for (int i = 0; i < 400; i++) {
                Failure.Draft draft = Failure.of(CALLS.get(0), ERRORS.get(0)).sessionId("s" + i);
                boolean lesson = i == 0 || i > 120 && i < 300 && random.nextInt(5) == 0;
                String id = store.recordFailure(lesson ? draft.patternAvoid("Lesson " + i) : draft)
                        .id();
                if (lesson && i % 3 == 1) {
                    store.amend(id, Amendment.dismiss("wrong"));
                }
                if (i % 9 == 0 || i == 399) {
                    String cached = History.answer(store, 0);
                    assertThat(cached).contains("Lesson ");
                    try (XMemStore uncached = TestStores.builder(directory, 8)
                            .clock(() -> now)
                            .cacheBytes(0)
                            .readOnly()
                            .open()) {
                        assertThat(cached).isEqualTo(History.answer(uncached, 0));
                    }
                }
            }
        }
    }

    private static void write(XMemStore store, List<String> ids) {
        Random random = new Random();
        for (int i = 0; i < 25; i++) {
            int call = random.nextInt(CALLS.size());
            List<String> known = List.copyOf(ids);
            String id = known.isEmpty() ? "2026-02-14-001" : known.get(random.nextInt(known.size()));
            try {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        Failure.Draft draft = Failure.of(CALLS.get(call), ERRORS.get(call));
                        ids.add(store.recordFailure(draft.sessionId("s" + i)).id());
                    }
                    case 2 -> store.reportOutcome(id, Outcome.FAILED, "s" + random.nextInt(9));
                    case 3 -> store.amend(id, random.nextBoolean() ? Amendment.dismiss("x") : Amendment.restore());
                    case 4 -> History.answer(store, call);
                    default -> {
                        if (random.nextInt(5) == 0) {
                            store.purge(Set.of(id));
                        }
                    }
                }
            } catch (XMemException.Invalid | XMemException.Busy e) {
                ids.remove(id); // the entry is gone, or the other store has the lock
            }
        }
    }

    /** Random changes of one store. After each, all recalls are compared. */
    private static final class History {
        private final Path folder;
        private final long seed;
        private final Random random;
        private final List<String> ids = new ArrayList<>();
        private final List<String> done = new ArrayList<>();
        private Instant now = Stores.NOW;
        private int peerLines;

        History(Path folder, long seed) {
            this.folder = folder;
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() throws IOException {
            Files.createDirectories(folder.resolve("data/peers").resolve(PEER));
            try (XMemStore store =
                    TestStores.builder(folder, 8).clock(() -> now).open()) {
                for (int step = 0; step < 40; step++) {
                    change(store);
                    now = now.plusSeconds(random.nextInt(20) == 0 ? -90 : random.nextInt(100_000));
                    try (XMemStore uncached = TestStores.builder(folder, 8)
                            .clock(() -> now)
                            .cacheBytes(0)
                            .readOnly()
                            .open()) {
                        for (int again = 0; again < 4; again++) {
                            for (int call = 0; call < CALLS.size(); call++) {
                                assertThat(answer(store, call))
                                        .as("seed %d, after %s, %d", seed, done, again)
                                        .isEqualTo(answer(uncached, call));
                            }
                            now = now.plusMillis(pick(LATER));
                        }
                    }
                }
            }
        }

        private static String answer(XMemStore store, int call) {
            Advice advice = store.recall(CALLS.get(call).session("asking"), ERRORS.get(call));
            StringBuilder answer = new StringBuilder();
            answer.append(advice.status())
                    .append(' ')
                    .append(advice.level())
                    .append(' ')
                    .append(advice.seen());
            answer.append('\n').append(advice.reason()).append('\n');
            for (Match match : advice.matches()) {
                answer.append(match.entry().id())
                        .append(' ')
                        .append(match.matchType())
                        .append(' ');
                answer.append(match.score())
                        .append(' ')
                        .append(match.explanation())
                        .append(' ');
                answer.append(match.entry().json()).append('\n');
            }
            answer.append(new TreeMap<>(advice.leftOut())).append('\n');
            return answer.append(advice.text().replaceAll("xmem [0-9a-f]{8}", "xmem"))
                    .toString();
        }

        private void change(XMemStore store) {
            int kind = random.nextInt(20);
            done.add(String.valueOf(kind));
            try {
                switch (kind) {
                    case 0, 1, 2, 3, 4, 5 -> fail(store, 1 + random.nextInt(3));
                    case 6 -> fail(store, 80);
                    case 7, 8 -> succeed(store);
                    case 9, 10, 11 ->
                        store.reportOutcome(id(), pick(List.of(Outcome.values())), "s" + random.nextInt(9));
                    case 12 -> store.amend(id(), Amendment.dismiss("wrong"));
                    case 13 -> store.amend(id(), random.nextBoolean() ? Amendment.pin() : Amendment.restore());
                    case 14 -> store.amend(id(), Amendment.supersededBy(id()));
                    case 15 -> store.amend(id(), Amendment.retag(Set.of("x" + random.nextInt(3)), Set.of("a")));
                    case 16 -> store.purge(Set.of(id()));
                    case 17 -> store.compact(store.planCompaction(Retention.defaults()));
                    case 18 -> publish();
                    default ->
                        Stores.append(
                                folder, "failures.jsonl", line(id(), now.minusSeconds(random.nextInt(900_000) - 1000)));
                }
            } catch (XMemException e) {
                done.add(e.getClass().getSimpleName()); // an id that is gone, or of a peer
            }
        }

        private String id() {
            return ids.isEmpty() ? "2026-02-14-001" : ids.get(random.nextInt(ids.size()));
        }

        private <T> T pick(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }

        private void fail(XMemStore store, int times) {
            List<Failure.Draft> drafts = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                int call = random.nextInt(CALLS.size());
                Failure.Draft draft =
                        Failure.of(CALLS.get(call), ERRORS.get(call)).tags("a");
                draft = random.nextInt(3) == 0 ? draft : draft.sessionId("s" + random.nextInt(9));
                draft = random.nextBoolean() ? draft : draft.patternAvoid(pick(ADVICE) + random.nextInt(3));
                draft = random.nextInt(4) > 0 ? draft : draft.blockLevel(Failure.BlockLevel.CRITICAL);
                drafts.add(random.nextInt(3) > 0 ? draft : draft.triedAlso("npm ci", "frob -" + random.nextInt(4)));
            }
            for (Entry entry : store.recordAll(drafts)) {
                ids.add(entry.id());
            }
        }

        private void succeed(XMemStore store) {
            Success.Draft draft = Success.of(pick(List.of("npm", "rclone")), "it works " + random.nextInt(5))
                    .keySteps("Run npm ci", "frob");
            Success.Draft linked = random.nextInt(3) == 0 || ids.isEmpty() ? draft : draft.answers(id());
            ids.add(store.recordSuccess(linked).id());
        }

        private void publish() {
            String id = "2026-02-01-%03d".formatted(++peerLines);
            Stores.append(
                    folder, "peers/" + PEER + "/failures.jsonl", line(id, now.minusSeconds(random.nextInt(90_000))));
            ids.add(id + "@5f3a9c01");
        }

        /** A line that another program writes; the id may be that of another line. */
        private String line(String id, Instant at) {
            Map<String, String> hashes =
                    Map.of("rclone", "rclone-sync-config-not-found", "npm", "npm-install-etimedout");
            String tool = pick(List.of("rclone", "npm"));
            return ("{'id':'%s','ts':'%s','type':'tool_failure','tool':'%s','action':'x','error':'e%d',"
                            + "'pattern_avoid':'%s','ctx_hash':'%s','session_id':'p%d'}")
                    .formatted(
                            id.substring(0, Math.min(14, id.length())),
                            at,
                            tool,
                            random.nextInt(9),
                            pick(ADVICE),
                            hashes.get(tool),
                            random.nextInt(4));
        }
    }
}
