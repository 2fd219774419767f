package dev.xmem.core.faults;

import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Note;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Disks with a store that has something to compact, to erase and to bring back. Every line has a text of its own. */
final class MaintenanceFileSystem {
    /** Two families, one of them old; two old entries by themselves, and two new ones. */
    static final List<String> IDS = List.of(
            "2025-10-01-001",
            "2025-10-02-001",
            "2025-11-01-001",
            "2026-02-10-001",
            "2026-02-11-001",
            "2026-02-12-001",
            "2026-02-13-001",
            "2025-10-05-001",
            "2026-02-13-002");

    /** Of an archive, of a family, of a log. */
    static final Set<String> TO_PURGE = Set.of("2025-11-01-001", "2026-02-11-001", "2026-02-13-001");
    /** These go with one of their family, where they are one line with it already. */
    static final Set<String> GO_ALONG = Set.of("2026-02-10-001", "2026-02-12-001");

    static final String BROKEN = "{malformed";

    private MaintenanceFileSystem() {}

    /** The text that only the line of this id has. */
    static String text(String id) {
        return "text of " + id;
    }

    private static String failure(String id, String hash) {
        return ("{\"id\":\"%s\",\"ts\":\"%sT10:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push\","
                        + "\"error\":\"rejected\",\"notes\":\"%s\",\"session_id\":\"s-%s\",\"ctx_hash\":\"%s\"}\n")
                .formatted(id, id.substring(0, 10), text(id), id, hash);
    }

    private static String success(String id) {
        return ("{\"id\":\"%s\",\"ts\":\"%sT10:00:00Z\",\"type\":\"tool_success\",\"tool\":\"git\","
                        + "\"pattern_name\":\"%s\",\"ctx_hash\":\"git-%s\"}\n")
                .formatted(id, id.substring(0, 10), text(id), id);
    }

    /** Never compacted. */
    static ModelFileSystem grown() {
        ModelFileSystem disk = new ModelFileSystem();
        Caller caller = new Caller(Durability.EACH);
        caller.open(disk);
        RecordedFileSystem.append(
                disk,
                "failures.jsonl",
                failure(IDS.get(0), "git-old")
                        + failure(IDS.get(1), "git-old")
                        + failure(IDS.get(2), "git-alone")
                        + BROKEN + "\n"
                        + failure(IDS.get(3), "git-new")
                        + failure(IDS.get(4), "git-new")
                        + failure(IDS.get(6), "git-other")
                        + failure(IDS.get(5), "git-new")
                        + failure(IDS.get(6), "git-other"));
        RecordedFileSystem.append(disk, "successes.jsonl", success(IDS.get(7)) + success(IDS.get(8)));
        try (XMemStore store = caller.store()) {
            store.writeNote(Note.of("note", "before"));
            store.remember(Directive.parse("Never be late"));
        }
        return disk.after(Loss.PROCESS);
    }

    /** A disk after a compaction, and the backup that it made. */
    record Compacted(ModelFileSystem disk, Path backup) {}

    static Compacted compacted() {
        ModelFileSystem disk = grown();
        Caller caller = new Caller(Durability.EACH);
        caller.open(disk);
        CompactionReport report;
        try (XMemStore store = caller.store()) {
            report = store.compact(store.planCompaction(Retention.defaults()));
        }
        return new Compacted(disk.after(Loss.PROCESS), report.backup());
    }
}
