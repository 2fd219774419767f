package dev.xmem.core.faults;

import dev.xmem.Directive;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.SegmentStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Uses a store, and keeps in mind what it tried and what it was promised. Every entry carries a mark: {@code m7m}. */
final class Caller {
    static final Path DIRECTORY = Path.of("/store");
    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z"));
    /** Nothing in the background: the same operations in every run. */
    static final Resources RESOURCES = Resources.of(
            task -> {
                throw new RejectedExecutionException();
            },
            1 << 20);

    /** What was tried together; {@code acknowledged} is null until the store said that it has it. */
    static final class Batch {
        final List<Integer> marks;

        @Nullable List<Entry> acknowledged;

        Batch(List<Integer> marks) {
            this.marks = marks;
        }
    }

    final List<Batch> batches = new ArrayList<>();
    private final Durability durability;
    private final int segmentLines;
    private int marks;
    private @Nullable XMemStore store;

    Caller(Durability durability) {
        this(durability, SegmentStore.SEGMENT_LINES);
    }

    /** One whose store has segments of this many lines. */
    Caller(Durability durability, int segmentLines) {
        this.durability = durability;
        this.segmentLines = segmentLines;
    }

    /** Opens the store; once more where it fails: one operation fails once. */
    void open(FileSystem disk) {
        try {
            store = builder(disk);
        } catch (XMemException e) {
            store = builder(disk);
        }
    }

    private XMemStore builder(FileSystem disk) {
        return TestStores.withSegmentLines(TestStores.builder(DIRECTORY, disk), segmentLines)
                .clock(CLOCK)
                .resources(RESOURCES)
                .durability(durability)
                .open();
    }

    XMemStore store() {
        if (store == null) {
            throw new IllegalStateException("not open");
        }
        return store;
    }

    /** Records one entry for each letter: f, s, n or d. */
    void record(String kinds) {
        List<Integer> numbers = new ArrayList<>();
        List<EntryDraft> drafts = new ArrayList<>();
        for (char kind : kinds.toCharArray()) {
            numbers.add(++marks);
            drafts.add(draft(kind, "m" + marks + "m"));
        }
        Batch batch = new Batch(numbers);
        batches.add(batch);
        attempt(() -> batch.acknowledged = store().recordAll(drafts));
    }

    private static EntryDraft draft(char kind, String mark) {
        return switch (kind) {
            case 'f' ->
                Failure.of("git", "push", "fatal: unable to access " + mark).tags("git");
            case 's' -> Success.of("git", "Push with care " + mark).keySteps("fetch", "push");
            case 'n' -> Note.of("note", "a note " + mark);
            case 'd' -> Directive.parse("Always look at " + mark);
            default -> throw new IllegalArgumentException("no kind: " + kind);
        };
    }

    /** Makes a call that may be refused and then promises nothing. Only the store's own exceptions are allowed. */
    void attempt(Runnable call) {
        try {
            call.run();
        } catch (XMemException.Io | XMemException.Busy e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("an exception without a word", e);
            }
        }
    }
}
