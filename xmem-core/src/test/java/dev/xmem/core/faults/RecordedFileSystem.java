package dev.xmem.core.faults;

import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Disks with a store that was used before, by us and by others. */
final class RecordedFileSystem {
    /** How many entries {@link #used} has, directives included. */
    static final int ENTRIES = 6;
    /** How many of its lines are no entries. */
    static final int MALFORMED = 1;

    private static final String FOREIGN =
            "{\"id\":\"2026-02-13-001\",\"ts\":\"2026-02-13T09:00:00Z\",\"type\":\"tool_failure\","
                    + "\"tool\":\"rclone\",\"error\":\"of another machine\",\"new\":{\"a\":[1]},\"ctx_hash\":\"rclone-x\"}\n"
                    + "<<<<<<< HEAD\n"
                    + "{\"id\":\"2026-02-13-002\",\"ts\":\"2026-02-13T09:00:00Z\",\"type\":\"tool_dream\",\"tool\":\"rclone\"}";

    private RecordedFileSystem() {}

    /** Four entries of ours, two of another tool, a malformed line, and a last line without a line end. */
    static ModelFileSystem used() {
        ModelFileSystem disk = new ModelFileSystem();
        Caller caller = new Caller(Durability.EACH);
        caller.open(disk);
        try (XMemStore store = caller.store()) {
            store.writeNote(Note.of("note", "before"));
            store.recordSuccess(Success.of("git", "before"));
            store.remember(Directive.parse("Never be late"));
            store.recordFailure(Failure.of("git", "push", "before"));
        }
        append(disk, "failures.jsonl", FOREIGN);
        return disk.after(Loss.PROCESS);
    }

    /** What another tool writes. */
    static void append(ModelFileSystem disk, String log, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Path file = Caller.DIRECTORY.resolve("data").resolve(log);
        try (ModelFileSystem.Output appender = disk.append(file)) {
            appender.write(bytes, 0, bytes.length);
            appender.force();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
