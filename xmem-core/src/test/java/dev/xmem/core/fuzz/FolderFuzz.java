package dev.xmem.core.fuzz;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has a store use folders whose files were changed, one for each number. A program, so that it runs in a small heap:
 * its arguments are a folder, the first number, how many numbers, and for how many seconds at most.
 */
public final class FolderFuzz {
    private static final long LIMIT_SECONDS = 600;

    private final HostileFolder folder;
    private final Map<String, Integer> endings = new TreeMap<>();
    private final long[] totals;
    private List<String> damage = List.of();

    FolderFuzz(Path folder) throws IOException {
        this.folder = new HostileFolder(folder);
        this.totals = new long[this.folder.shapes()];
        for (int shape = 0; shape < totals.length; shape++) {
            this.folder.restore(shape);
            try (XMemStore store = this.folder.builder(shape, HostileFolder.NOW).open()) {
                totals[shape] = store.search(Query.all().limit(1)).total();
            }
        }
    }

    /** Runs it. */
    public static void main(String... args) throws Exception {
        FolderFuzz fuzz = new FolderFuzz(Path.of(args[0]));
        long first = Long.parseLong(args[1]);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[3]));
        long number = first;
        ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "case");
            thread.setDaemon(true);
            return thread;
        });
        for (; number < first + Long.parseLong(args[2]) && System.nanoTime() < end; number++) {
            long each = number;
            Future<?> running = worker.submit(() -> {
                fuzz.read(each);
                return null;
            });
            try {
                running.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("folder " + number + ": " + fuzz.damage, e.getCause());
            } catch (TimeoutException e) {
                Thread.getAllStackTraces().forEach((thread, stack) -> {
                    System.out.println(thread);
                    Arrays.stream(stack).limit(40).forEach(frame -> System.out.println("    " + frame));
                });
                throw new AssertionError("folder " + number + " takes too long: " + fuzz.damage, e);
            }
        }
        System.out.printf("reliability: %,d changed folders, %s%n", number - first, fuzz.endings);
        System.exit(0);
    }

    /** Makes the folder of a number and uses it. */
    void read(long number) throws IOException {
        Random random = new Random(number);
        int shape = random.nextInt(folder.shapes());
        folder.restore(shape);
        damage = folder.damage(shape, random);
        Map<Path, byte[]> logs = logs();
        boolean readOnly = random.nextInt(8) == 0;
        XMem.Builder builder = folder.builder(shape, HostileFolder.NOW);
        boolean syncs = !readOnly && random.nextInt(3) == 0;
        if (readOnly) {
            builder.readOnly();
        } else if (syncs) {
            builder.sync(folder.shared());
        }
        try (XMemStore store = builder.open()) {
            requireLines(store, shape);
            EveryMethod every = new EveryMethod(store).read();
            if (random.nextInt(4) == 0) {
                damage = new ArrayList<>(damage);
                damage.add("while it is open:");
                damage.addAll(folder.damage(shape, random));
                logs = logs();
            }
            if (!readOnly) {
                record(store, syncs);
            }
            every.write().read();
            requirePrefixes(logs);
            every.maintain().read();
            count(every.thrown());
        } catch (XMemException e) {
            count(List.of(e));
        }
        try (XMemStore store = folder.builder(shape, HostileFolder.NOW).open()) {
            new EveryMethod(store).read();
            if (!readOnly) {
                record(store, syncs);
            }
        } catch (XMemException e) {
            count(List.of(e));
        }
    }

    private void count(List<XMemException> thrown) {
        thrown.forEach(e -> endings.merge(e.getClass().getSimpleName(), 1, Integer::sum));
        endings.merge("calls refused in " + (thrown.isEmpty() ? "no" : "some") + " uses", 1, Integer::sum);
    }

    /** Damage of files that are derived from the logs costs no line. */
    private void requireLines(XMemStore store, int shape) {
        if (damage.stream().allMatch(each -> each.contains(" own/.xmem/") && !each.startsWith("forged"))) {
            long total = store.search(Query.all().limit(1)).total();
            if (total != totals[shape]) {
                throw new AssertionError(total + " entries, not " + totals[shape]);
            }
        }
    }

    /** What is recorded is found, and is one more; a sync, which may end after its store, adds others. */
    private static void record(XMemStore store, boolean syncs) {
        long before = store.search(Query.all().limit(1)).total();
        Failure own = store.recordFailure(Failure.of("git", "push", "fatal: quota of Bern"));
        if (!store.find(own.id()).filter(own::equals).isPresent()) {
            throw new AssertionError(own.json() + " is not found, but " + store.find(own.id()));
        }
        long after = store.search(Query.all().limit(1)).total();
        if (!syncs && after != before + 1) {
            throw new AssertionError(after + " after one more than " + before);
        }
    }

    private Map<Path, byte[]> logs() throws IOException {
        Map<Path, byte[]> logs = new HashMap<>();
        for (String name : List.of("failures.jsonl", "successes.jsonl", "notes.jsonl", "memories.ndjson")) {
            Path log = folder.folder.resolve(HostileFolder.OWN).resolve("data").resolve(name);
            if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
                logs.put(log, Files.readAllBytes(log));
            }
        }
        return logs;
    }

    /** Nothing but a maintenance changes what is in a log. */
    private static void requirePrefixes(Map<Path, byte[]> logs) throws IOException {
        for (Map.Entry<Path, byte[]> log : logs.entrySet()) {
            byte[] before = log.getValue();
            byte[] now = Files.readAllBytes(log.getKey());
            if (now.length < before.length || !Arrays.equals(before, Arrays.copyOf(now, before.length))) {
                throw new AssertionError(log.getKey() + " was changed");
            }
        }
    }
}
