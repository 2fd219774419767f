package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares the disk with what the caller was promised: first the bytes alone, then the store. */
final class Aftermath {
    static final List<String> LOGS = List.of("failures.jsonl", "successes.jsonl", "memories.ndjson", "notes.jsonl");
    private static final Pattern MARK = Pattern.compile("\\bm(\\d+)m\\b");

    private final Map<Path, byte[]> before;
    private final Caller caller;
    private final boolean power;
    private final int faults;
    private final boolean allKept;
    /** Marks to lines, in log order. */
    private final Map<Integer, String> found = new LinkedHashMap<>();

    private final Map<String, List<Integer>> byLog = new TreeMap<>();
    private int pieces;
    private int lines;
    private int checked;

    Aftermath(Map<Path, byte[]> before, Caller caller, Loss loss, Durability durability) {
        this(before, caller, loss, durability, 1);
    }

    /**
     * The promises.
     *
     * @param faults how many lines a fault may have torn
     */
    Aftermath(Map<Path, byte[]> before, Caller caller, Loss loss, Durability durability, int faults) {
        this.faults = faults;
        this.before = before;
        this.caller = caller;
        this.power = loss != Loss.PROCESS;
        this.allKept = !power || durability != Durability.OS;
    }

    /** How many acknowledged entries were looked for and found. */
    int checked() {
        return checked;
    }

    /**
     * Fails with a description of the violation.
     *
     * @param seen states that were checked before and are not checked again
     */
    void check(ModelFileSystem disk, Set<String> seen) {
        if (!seen.add(state(disk))) {
            return;
        }
        for (String log : LOGS) {
            readLog(disk, log);
        }
        acknowledgedIsThere();
        refusedIsThereAsAPrefix();
        Set<Integer> tried = new HashSet<>();
        caller.batches.forEach(batch -> tried.addAll(batch.marks));
        assertThat(tried).containsAll(found.keySet());
        assertThat(pieces).as("torn lines").isLessThanOrEqualTo(power ? faults + LOGS.size() : faults);
        storeAgrees(disk);
    }

    private String state(ModelFileSystem disk) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(new byte[] {(byte) (power ? 1 : 0), (byte) (allKept ? 1 : 0)});
            disk.files().forEach((file, bytes) -> {
                digest.update((file + "\n" + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            });
            for (Caller.Batch batch : caller.batches) {
                digest.update((batch.marks + ":" + (batch.acknowledged != null)).getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void readLog(ModelFileSystem disk, String log) {
        Path file = Caller.DIRECTORY.resolve("data").resolve(log);
        byte[] bytes = disk.bytes(file);
        byte[] known = before.getOrDefault(file, new byte[0]);
        assertThat(bytes.length).isGreaterThanOrEqualTo(known.length);
        assertThat(Arrays.equals(bytes, 0, known.length, known, 0, known.length))
                .as("what stood in " + log + " before")
                .isTrue();
        String added = new String(bytes, known.length, bytes.length - known.length, StandardCharsets.UTF_8);
        for (String line : added.split("\n")) {
            if (isObject(line)) {
                lines++;
                Matcher mark = MARK.matcher(line);
                if (mark.find()) {
                    int number = Integer.parseInt(mark.group(1));
                    assertThat(found.put(number, line)).as("twice: " + line).isNull();
                    byLog.computeIfAbsent(log, name -> new ArrayList<>()).add(number);
                }
            } else if (!line.isEmpty()) {
                pieces++;
            }
        }
    }

    private static boolean isObject(String line) {
        try {
            return !line.isBlank() && !Json.object(line).isEmpty();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void acknowledgedIsThere() {
        for (Caller.Batch batch : caller.batches) {
            List<Entry> entries = batch.acknowledged;
            for (int i = 0; entries != null && i < entries.size(); i++) {
                String line = found.get(batch.marks.get(i));
                if (allKept) {
                    assertThat(line)
                            .as("acknowledged: " + entries.get(i).json())
                            .isNotNull();
                    checked++;
                }
                if (line != null && !(entries.get(i) instanceof Directive)) {
                    assertThat(line).isEqualTo(entries.get(i).json());
                }
            }
        }
        if (!allKept) {
            byLog.forEach((log, marks) -> assertThat(marks).isSorted());
            noGaps();
        }
    }

    /** Where nothing is synced a power cut leaves of each log a beginning. */
    private void noGaps() {
        Map<Character, Boolean> gone = new TreeMap<>();
        for (Caller.Batch batch : caller.batches) {
            List<Entry> entries = batch.acknowledged;
            for (int i = 0; entries != null && i < entries.size(); i++) {
                char kind = entries.get(i).kind().name().charAt(0);
                boolean here = found.containsKey(batch.marks.get(i));
                assertThat(here && gone.getOrDefault(kind, false)).as("a gap").isFalse();
                gone.merge(kind, !here, Boolean::logicalOr);
            }
        }
    }

    private void refusedIsThereAsAPrefix() {
        for (Caller.Batch batch : caller.batches) {
            if (batch.acknowledged == null && !power) {
                List<Boolean> there =
                        batch.marks.stream().map(found::containsKey).toList();
                assertThat(there.lastIndexOf(true))
                        .as("of an unacknowledged batch a prefix")
                        .isLessThan(there.contains(false) ? there.indexOf(false) : there.size());
            }
        }
    }

    private void storeAgrees(ModelFileSystem disk) {
        Caller next = new Caller(Durability.OS);
        next.open(disk);
        Failure after;
        long total;
        try (XMemStore store = next.store()) {
            checkEntries(store);
            total = store.search(Query.all().limit(1)).total();
            assertThat(total).isEqualTo(lines + (before.isEmpty() ? 0 : RecordedFileSystem.ENTRIES));
            assertThat(store.stats().malformedLines()).isLessThanOrEqualTo(pieces + RecordedFileSystem.MALFORMED);
            after = store.recordFailure(Failure.of("git", "push", "afterwards"));
            assertThat(store.find(after.id())).contains(after);
            assertThat(store.search(Query.all().limit(1)).total()).isEqualTo(total + 1);
        }
        next.open(disk);
        try (XMemStore store = next.store()) {
            checkEntries(store);
            assertThat(store.find(after.id())).contains(after);
            assertThat(store.search(Query.all().limit(1)).total()).isEqualTo(total + 1);
            assertThat(store.verify().findings()).allMatch(finding -> !finding.contains("is also in"));
        }
    }

    private void checkEntries(XMemStore store) {
        for (Caller.Batch batch : caller.batches) {
            List<Entry> entries = batch.acknowledged;
            for (int i = 0; entries != null && i < entries.size(); i++) {
                if (found.containsKey(batch.marks.get(i))) {
                    assertThat(store.find(entries.get(i).id())).contains(entries.get(i));
                }
            }
        }
    }
}
