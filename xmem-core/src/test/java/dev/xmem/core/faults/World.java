package dev.xmem.core.faults;

import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Recordable;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A store on a disk, and beside it the oracle that every step is told to. */
final class World {
    private static final Path FAILURES = Caller.DIRECTORY.resolve("data/failures.jsonl");

    private final Oracle oracle = new Oracle();
    private ModelDisk disk = new ModelDisk();
    private Caller caller = new Caller(Durability.GROUP);
    private int number;

    World() {
        caller.open(disk);
    }

    private XMemStore store() {
        return caller.store();
    }

    /** What is promised holds after every step. */
    void check() {
        oracle.agreesWith(store());
    }

    /** Records one entry for each letter: f, s or n. */
    void record(String kinds) {
        List<Recordable> drafts = new ArrayList<>();
        for (char kind : kinds.toCharArray()) {
            String text = "fatal: unable to access m" + ++number;
            drafts.add(
                    kind == 'f'
                            ? Failure.of("git", "push", text)
                            : kind == 's' ? Success.of("git", text) : Note.of("note", text));
        }
        for (Entry entry : store().recordAll(drafts)) {
            oracle.lines.put(entry.id(), entry.json());
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
            boolean first = oracle.votes.add(id + " " + session);
            require(store().reportOutcome(id, Outcome.WORKED, session) == first, "one vote a session");
        }
    }

    void dismiss(int entry) {
        String id = oracle.some(entry);
        if (!id.isEmpty()) {
            store().amend(id, Amendment.dismiss("no more"));
            oracle.dismissed.add(id);
        }
    }

    void flush() {
        store().flush();
    }

    void reopen() {
        store().close();
        next(Loss.PROCESS);
    }

    /** The process or the machine ends, and nobody closes the store. */
    void end(Loss loss) {
        next(loss);
    }

    private void next(Loss loss) {
        disk = disk.after(loss);
        caller = new Caller(Durability.GROUP);
        caller.open(disk);
    }

    /** Another tool appends a line. */
    void foreignLine() {
        String id = "2026-01-01-%03d".formatted(++number);
        String line =
                "{\"id\":\"" + id + "\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"rclone\","
                        + "\"error\":\"e" + number + "\",\"ctx_hash\":\"rclone-x\"}";
        String end = new String(disk.bytes(FAILURES), StandardCharsets.UTF_8).endsWith("\n") ? "" : "\n";
        UsedDisk.append(disk, "failures.jsonl", end + line + "\n");
        oracle.lines.put(id, line);
    }

    /** Another tool is stopped in the middle of a line. */
    void tornLine() {
        UsedDisk.append(disk, "failures.jsonl", "\n{\"id\":\"2026-01-01-9");
    }

    /** Another tool puts a file in place that has the same lines in another order, one of them twice, and a stray one. */
    void foreignRewrite() {
        List<String> lines =
                new ArrayList<>(List.of(new String(disk.bytes(FAILURES), StandardCharsets.UTF_8).split("\n")));
        Collections.reverse(lines);
        String text = ">>>>>>> theirs\n" + String.join("\n", lines) + "\n" + lines.get(0) + "\n";
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
