package dev.xmem.core.faults;

import dev.xmem.Amendment;
import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A store on a model file system, and the oracle that records every step. */
final class World {
    private static final Path DATA = Caller.DIRECTORY.resolve("data");
    private static final Path FAILURES = DATA.resolve("failures.jsonl");

    private final Oracle oracle = new Oracle();
    private ModelFileSystem disk = new ModelFileSystem();
    private Caller caller = new Caller(Durability.GROUP);
    /** Every line that was ever acknowledged, erased ones too: no id is given twice. */
    private final Map<String, String> ever = new TreeMap<>();

    private final List<Path> backups = new ArrayList<>();
    private int number;

    World() {
        caller.open(disk);
    }

    private XMemStore store() {
        return caller.store();
    }

    /** Checks the promises after every step. */
    void check() {
        oracle.agreesWith(store());
    }

    /** Records one entry for each letter: f, s or n. */
    void record(String kinds) {
        List<EntryDraft> drafts = new ArrayList<>();
        for (char kind : kinds.toCharArray()) {
            String mark = "mark " + ++number;
            drafts.add(
                    kind == 'f'
                            ? Failure.of("git", "push", "fatal: unable to access host" + number % 2)
                                    .triedAlso(mark)
                            : kind == 's' ? Success.of("git", mark) : Note.of("note", mark));
        }
        for (Entry entry : store().recordAll(drafts)) {
            oracle.lines.put(entry.id(), entry.json());
            require(ever.put(entry.id(), entry.json()) == null, "a new id: " + entry.id());
        }
    }

    void remember(int which) {
        Directive directive = store().remember(Directive.parse("Never use number " + which));
        int strength = oracle.directives.merge(directive.canonical(), 1, Integer::sum);
        require(directive.strength() == strength, "strength " + directive.strength() + " is " + strength);
    }

    void vote(int entry, String session) {
        String id = oracle.some(entry);
        if (!id.isEmpty()) {
            Entry voted = store().find(id).orElseThrow();
            boolean first = Oracle.group(voted.json(), id).stream()
                    .noneMatch(one -> oracle.words.contains(new Oracle.Word(one, session, true)));
            require(store().reportOutcome(id, Outcome.WORKED, session) == first, "one vote a session");
            if (first) {
                oracle.words.add(new Oracle.Word(voted.id(), session, true));
            }
        }
    }

    /** Says something about an entry: d dismisses it, p pins it, t tags it. */
    void amend(int entry, char what) {
        String id = oracle.some(entry);
        if (id.isEmpty()) {
            return;
        }
        String shown = store().find(id).orElseThrow().id();
        switch (what) {
            case 'd' -> {
                store().amend(id, Amendment.dismiss("no more"));
                oracle.dismissed.add(shown);
            }
            case 'p' -> {
                store().amend(id, Amendment.pin());
                oracle.words.add(new Oracle.Word(shown, Oracle.PINNED, false));
            }
            default -> {
                store().amend(id, Amendment.retag(Set.of("tagged"), Set.of()));
                oracle.words.add(new Oracle.Word(shown, "\"tagged\"", false));
            }
        }
    }

    /** Says that an entry is replaced by another, unless that one is replaced by it. */
    void supersede(int entry, int by) {
        String id = oracle.some(entry);
        if (id.isEmpty()) {
            return;
        }
        Entry old = store().find(id).orElseThrow();
        Entry successor = store().find(oracle.some(by)).orElseThrow();
        boolean circle = false;
        Entry next = successor;
        for (int i = 0; next != null && i < 100 && !circle; i++) {
            circle = next.id().equals(old.id());
            String after = oracle.successor(Oracle.group(next.json(), next.id()));
            next = after.isEmpty() ? null : store().find(after).orElse(null);
        }
        try {
            store().amend(id, Amendment.supersededBy(successor.id()));
            require(!circle, "a circle is refused: " + old.id() + " by " + successor.id());
            oracle.superseded.computeIfAbsent(old.id(), key -> new TreeSet<>()).add(successor.id());
        } catch (XMemException.Invalid e) {
            require(circle, "" + e);
        }
    }

    void compact() {
        oracle.compacted = true;
        CompactionReport report = store().compact(store().planCompaction(Retention.defaults()));
        require(report.completed(), "completed");
        if (report.removed() > 0) {
            backups.add(report.backup());
        }
    }

    /** The process or the machine ends at an operation of a compaction, or after it. */
    void compactAndEnd(int operation, Loss loss) {
        disk.plan(new Fault(operation, Fault.Kind.CRASH));
        try {
            compact();
        } catch (Crash e) {
            require(disk.crashed(), "crashed");
        }
        next(loss);
    }

    /** Brings a backup back: nothing that came since goes, and what an erasure took along is there again. */
    void restore(int which) {
        if (!backups.isEmpty()) {
            Path backup = backups.get(which % backups.size());
            Set<String> named = named(backup);
            List<Map<String, Object>> said = said(backup);
            try {
                backups.add(store().restore(backup).backup());
            } catch (XMemException.Invalid e) {
                require(time(backup).isBefore(newestBackup()) && e.getMessage().contains("newer backups"), "" + e);
                return;
            }
            ever.forEach((id, line) -> {
                if (named.contains(id)) {
                    oracle.lines.put(id, line);
                }
            });
            said.forEach(this::hear);
        }
    }

    /** The newest backup on the disk, which a compaction may have made that ended before it could report it. */
    private Instant newestBackup() {
        Path folder = DATA.resolve("backup");
        return disk.files().keySet().stream()
                .filter(file -> file.startsWith(folder))
                .map(file -> folder.relativize(file).getName(0))
                .filter(backup -> !backup.toString().endsWith(".unfinished"))
                .map(World::time)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Instant time(Path backup) {
        return Instant.parse(backup.getFileName().toString().replace('_', ':'));
    }

    /** Erases an entry from everywhere; those that are one line with it go along, where they have no other. */
    void purge(int entry) {
        String id = oracle.some(entry);
        if (id.isEmpty()) {
            return;
        }
        Set<String> along = Oracle.group(store().find(id).orElseThrow().json(), id);
        require(store().purge(Set.of(id), true) > 0, "something goes");
        oracle.lines.remove(id);
        Set<String> left = named(DATA.resolve("failures.jsonl"));
        left.addAll(named(DATA.resolve("archive")));
        oracle.lines.keySet().removeIf(one -> along.contains(one) && !left.contains(one));
        // Outcomes and amendments of an entry go with it.
        oracle.words.removeIf(word -> !oracle.lines.containsKey(word.id()));
        oracle.dismissed.retainAll(oracle.lines.keySet());
        oracle.superseded.keySet().retainAll(oracle.lines.keySet());
        oracle.superseded.values().forEach(successors -> successors.retainAll(oracle.lines.keySet()));
        require(!named(Caller.DIRECTORY).contains(id), "erased everywhere");
    }

    /** The outcomes and amendments in the files of a folder. */
    private List<Map<String, Object>> said(Path folder) {
        List<Map<String, Object>> said = new ArrayList<>();
        disk.files().forEach((file, bytes) -> {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
                if (file.startsWith(folder) && line.contains("\"target\":") && line.endsWith("}")) {
                    said.add(Json.object(line));
                }
            }
        });
        return said;
    }

    private void hear(Map<String, Object> said) {
        String target = String.valueOf(said.get("target"));
        switch (String.valueOf(said.get("change"))) {
            case "dismiss" -> oracle.dismissed.add(target);
            case "supersede" ->
                oracle.superseded
                        .computeIfAbsent(target, key -> new TreeSet<>())
                        .add(String.valueOf(said.get("by")));
            case "pin" -> oracle.words.add(new Oracle.Word(target, Oracle.PINNED, false));
            case "retag" -> oracle.words.add(new Oracle.Word(target, "\"tagged\"", false));
            default -> oracle.words.add(new Oracle.Word(target, String.valueOf(said.get("session_id")), true));
        }
    }

    /** The ids that entries below a file or folder have or cover. */
    private Set<String> named(Path fileOrFolder) {
        Set<String> ids = new HashSet<>();
        disk.files().forEach((file, bytes) -> {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
                if (file.startsWith(fileOrFolder) && line.startsWith("{\"id\"") && line.endsWith("}")) {
                    ids.addAll(Oracle.group(line, ""));
                }
            }
        });
        return ids;
    }

    void flush() {
        store().flush();
    }

    void reopen() {
        store().close();
        next(Loss.PROCESS);
    }

    /** Ends the process or the machine without closing the store. */
    void end(Loss loss) {
        next(loss);
    }

    private void next(Loss loss) {
        disk = disk.after(loss);
        caller = new Caller(Durability.GROUP);
        caller.open(disk);
    }

    /** Another tool appends a line, of a month ago or of one that belongs into an archive. */
    void foreignLine() {
        String day = ++number % 3 == 0 ? "2025-10-01" : "2026-01-01";
        String id = day + "-%03d".formatted(number);
        String line =
                "{\"id\":\"" + id + "\",\"ts\":\"" + day + "T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"rclone\","
                        + "\"error\":\"e\",\"tried_also\":[\"mark " + number + "\"],\"ctx_hash\":\"rclone-x\"}";
        String end = new String(disk.bytes(FAILURES), StandardCharsets.UTF_8).endsWith("\n") ? "" : "\n";
        RecordedFileSystem.append(disk, "failures.jsonl", end + line + "\n");
        oracle.lines.put(id, line);
        ever.put(id, line);
    }

    /** Another tool is stopped in the middle of a line. */
    void tornLine() {
        RecordedFileSystem.append(disk, "failures.jsonl", "\n{\"id\":\"2026-01-01-9");
    }

    /**
     * Another tool puts a file in place that has the same lines in another order, one of them twice, and a stray one.
     */
    void foreignRewrite() {
        List<String> lines =
                new ArrayList<>(List.of(new String(disk.bytes(FAILURES), StandardCharsets.UTF_8).split("\n")));
        Collections.reverse(lines);
        String first = lines.isEmpty() ? "" : lines.get(0);
        String text = ">>>>>>> theirs\n" + String.join("\n", lines) + "\n" + first + "\n";
        try {
            disk.replace(FAILURES, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
