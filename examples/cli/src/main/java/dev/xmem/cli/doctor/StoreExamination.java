package dev.xmem.cli.doctor;

import dev.xmem.Stats;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.HookTrace;
import dev.xmem.hooks.ResidentStatus;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Examines a store, its resident, and what its hooks did last. Changes nothing. */
final class StoreExamination {
    private static final int LOCK_TRIES = 20;
    private static final long LOCK_PAUSE_MILLIS = 50;
    private static final long MIN_FREE_BYTES = 16L << 20;
    private static final int EVENTS = 20;
    private static final long SLOW_MILLIS = 1500;
    private static final Duration RECENT = Duration.ofDays(1);

    private final Path store;
    private final List<Finding> findings = new ArrayList<>();

    private StoreExamination(Path store) {
        this.store = store;
    }

    static boolean exists(Path store) {
        return Files.isDirectory(store.resolve("data"));
    }

    static List<Finding> of(Path store, Place place) {
        StoreExamination examination = new StoreExamination(store);
        if (exists(store)) {
            examination.open();
            examination.write();
            examination.resident(place.cache());
            examination.trace();
        } else {
            examination.missing();
        }
        return examination.findings;
    }

    private void missing() {
        Path up = store;
        while (up != null && !Files.exists(up)) {
            up = up.getParent();
        }
        boolean creatable = up != null && Files.isDirectory(up) && Files.isWritable(up);
        findings.add(
                creatable
                        ? Finding.warning(
                                "store",
                                "there is no store in " + store + " yet",
                                "if the path is right, let the agent run a tool, which creates it, then run xmem doctor")
                        : Finding.problem(
                                "store",
                                "there is no store in " + store + ", and none can be created in " + up,
                                "correct the path in the settings, or the permissions of " + up));
    }

    private void open() {
        try (XMemStore opened = XMem.builder(store).readOnly().open()) {
            Stats stats = opened.stats();
            long kib = size() >> 10;
            findings.add(Finding.ok(
                    "store",
                    store + ", " + kib + " KiB, failures " + stats.failures() + ", successes " + stats.successes()));
        } catch (XMemException | IOException e) {
            findings.add(Finding.problem(
                    "store",
                    store + " cannot be opened: " + e.getMessage(),
                    "run xmem verify --store '" + store + "'"));
        }
    }

    private long size() throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.mapToLong(
                            file -> file.toFile().isFile() ? file.toFile().length() : 0)
                    .sum();
        }
    }

    private void write() {
        try {
            for (Path path : List.of(store, store.resolve("data"), store.resolve(".xmem"))) {
                if (Files.exists(path) && !isWritable(path)) {
                    findings.add(Finding.problem(
                            "store",
                            path + " is read-only: hooks answer, but record nothing",
                            "make it writable for the user that runs the agent"));
                    return;
                }
            }
            long free = Files.getFileStore(store).getUsableSpace();
            if (free < MIN_FREE_BYTES) {
                findings.add(Finding.problem(
                        "store", "its file system has only " + (free >> 10) + " KiB left", "free some space"));
            }
            lock();
        } catch (IOException e) {
            findings.add(Finding.problem("store", store + " cannot be examined: " + e, "check its permissions"));
        }
    }

    /** Whether the owner and this process may write to a file or a folder. */
    private static boolean isWritable(Path path) throws IOException {
        return Files.isWritable(path) && Files.getPosixFilePermissions(path).contains(PosixFilePermission.OWNER_WRITE);
    }

    /** Tries the lock of the writers for a second, which each of them holds for milliseconds. */
    private void lock() throws IOException {
        Path path = store.resolve(".xmem").resolve("lock");
        if (!Files.isRegularFile(path)) {
            return;
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = file.tryLock();
            for (int i = 0; i < LOCK_TRIES && lock == null; i++) {
                Thread.sleep(LOCK_PAUSE_MILLIS);
                lock = file.tryLock();
            }
            if (lock == null) {
                findings.add(Finding.problem(
                        "store",
                        "a process" + holder(path) + " has held its lock for more than a second: nothing is recorded",
                        "wait for that process, or end it if it hangs"));
            } else {
                lock.release();
                findings.add(Finding.ok("store", "writable, and its lock is free"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The id of the process that holds a lock, where the operating system lists it. */
    private static String holder(Path path) {
        try {
            String inode = ":" + Files.getAttribute(path, "unix:ino");
            for (String line : Files.readAllLines(Path.of("/proc/locks"))) {
                String[] words = line.strip().split("\\s+");
                if (words.length > 5 && words[5].endsWith(inode)) {
                    return ", " + words[4] + ",";
                }
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Not listed.
        }
        return "";
    }

    private void resident(Path cache) {
        ResidentStatus status = ResidentStatus.of(store, cache);
        String memory = status.memoryKib() < 0 ? "" : ", " + (status.memoryKib() >> 10) + " MiB";
        findings.add(
                switch (status.state()) {
                    case NONE -> Finding.ok("resident", "none is running; the next hook answers by itself");
                    case ANSWERS ->
                        Finding.ok("resident", status.text() + memory + ", answered in " + status.millis() + " ms");
                    case STALE ->
                        Finding.warning(
                                "resident",
                                status.text() + "; hooks answer by themselves, more slowly",
                                "delete " + store.resolve(".xmem/resident")
                                        + " if the next event of the agent does not replace it");
                    case SILENT ->
                        Finding.problem(
                                "resident",
                                status.text() + memory + ": each hook waits for it first",
                                "end that process; the next hook leaves another behind");
                });
    }

    private void trace() {
        List<HookTrace.Event> events;
        try {
            events = HookTrace.read(store);
        } catch (IOException e) {
            findings.add(Finding.warning("last event", "the trace cannot be read: " + e, "check its permissions"));
            return;
        }
        if (events.isEmpty()) {
            findings.add(Finding.warning(
                    "last event",
                    "no hook has reported an event to this store",
                    "start the agent again, let it run a tool, then run xmem doctor"));
            return;
        }
        HookTrace.Event last = events.get(events.size() - 1);
        findings.add(
                Finding.ok("last event", text(last) + ", answered by " + last.by() + " in " + last.millis() + " ms"));
        events.stream()
                .filter(HookTrace.Event::isTrouble)
                .reduce((first, second) -> second)
                .ifPresent(trouble -> trouble(trouble, last));
        time(events.subList(Math.max(0, events.size() - EVENTS), events.size()));
    }

    private void trouble(HookTrace.Event trouble, HookTrace.Event last) {
        String text = text(trouble) + ": " + trouble.reason();
        boolean recent = trouble.at().isAfter(Instant.now().minus(RECENT));
        String advice = "send the event to xmem why, or look at " + store.resolve(".xmem/hooks.ndjson");
        if (trouble.equals(last)) {
            findings.add(Finding.problem("last trouble", text, advice));
        } else {
            findings.add(recent ? Finding.warning("last trouble", text, advice) : Finding.ok("last trouble", text));
        }
    }

    private static String text(HookTrace.Event event) {
        return event.at() + ", " + (event.agent().isEmpty() ? "unknown agent" : event.agent())
                + (event.name().isEmpty() ? "" : ", " + event.name())
                + (event.tool().isEmpty() ? "" : " of " + event.tool())
                + ", " + event.outcome().name().toLowerCase(Locale.ROOT);
    }

    private void time(List<HookTrace.Event> events) {
        long[] millis =
                events.stream().mapToLong(HookTrace.Event::millis).sorted().toArray();
        long median = millis[(millis.length - 1) / 2];
        long resident =
                events.stream().filter(event -> event.by().equals("resident")).count();
        String text = "median " + median + " ms, at most " + millis[millis.length - 1] + " ms, of the newest "
                + millis.length + "; the resident answered " + resident;
        findings.add(
                median <= SLOW_MILLIS
                        ? Finding.ok("time", text)
                        : Finding.warning("time", text, "keep a resident running, for example by xmem serve"));
    }
}
