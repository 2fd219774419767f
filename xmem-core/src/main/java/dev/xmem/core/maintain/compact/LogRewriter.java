package dev.xmem.core.maintain.compact;

import dev.xmem.XMemException;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.write.Appender;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites one log to a temporary file beside it and puts that in its place. Most of the work needs no lock: lines that
 * are appended meanwhile are copied as they are. Only the last of them are copied under the store's lock, together
 * with the rename. Used once.
 */
final class LogRewriter implements Closeable {
    static final String SUFFIX = ".compacting";

    private static final long SHORT_BYTES = 64 << 10;
    private static final int ROUNDS = 40;

    private final FileSystem files;
    private final LogRegistry registry;
    private final IdHighWaterMarks marks;
    private final LogChecksums checksums;
    private final Appender appender;
    private final LateWrites lateWrites;
    private final LogPlan plan;
    private final LogFile file;
    private final Path temporary;
    private final FileSystem.Output out;
    private final LateWrites.@Nullable ReplacedLog before;
    /** The length that the new file must have. */
    private long expected;
    /** The number of lines that came from another file. */
    private int prepended;
    /** How much of the log was copied. */
    private long copied;

    /** What the new index takes from the old one; null if the new file is to be read. */
    private LogIndex.@Nullable CarriedLines carried;

    private @Nullable LogIndex after;
    private boolean inPlace;

    LogRewriter(
            FileSystem files,
            LogRegistry registry,
            IdHighWaterMarks marks,
            LogChecksums checksums,
            Appender appender,
            LateWrites lateWrites,
            LogPlan plan)
            throws IOException {
        this.files = files;
        this.registry = registry;
        this.marks = marks;
        this.checksums = checksums;
        this.appender = appender;
        this.lateWrites = lateWrites;
        this.plan = plan;
        this.file = plan.index().file();
        this.temporary = file.path().resolveSibling(file.path().getFileName() + SUFFIX);
        files.delete(temporary);
        this.before = files.exists(file.path()) ? new LateWrites.ReplacedLog(files, file.path()) : null;
        this.out = files.append(temporary);
    }

    /**
     * Writes the lines of another file first.
     *
     * @param lines the number of distinct lines in it
     */
    void prepend(Path other, int lines) throws IOException {
        prepended = lines;
        byte[] chunk = new byte[(int) SHORT_BYTES];
        byte last = '\n';
        try (FileSystem.Input source = files.open(other)) {
            for (int read = source.read(0, chunk, 0, chunk.length); read > 0; ) {
                out.write(chunk, 0, read);
                expected += read;
                last = chunk[read - 1];
                read = source.read(expected, chunk, 0, chunk.length);
            }
        }
        if (last != '\n') {
            out.write(new byte[] {'\n'}, 0, 1);
            expected++;
        }
    }

    /** Copies the lines that were planned with, except those that change. */
    void write() throws IOException {
        BufferedAppender lines = new BufferedAppender(out);
        RunCopier runs = new RunCopier(file, lines);
        LineMap map = new LineMap(plan);
        long at = 0;
        for (LineChange change : plan.changes()) {
            copy(runs, lines, at, change.offset());
            map.copied(change.offset(), expected - change.offset());
            Replacement replacement = change.line();
            if (!change.leaves() && replacement != null) {
                byte[] line = replacement.bytes();
                map.replaced(change, replacement, line, expected);
                lines.write(line);
                expected += line.length;
                at = change.offset() + change.length();
                long next = runs.endOfLine(at, plan.length());
                if (line.length + next - at > file.lineBytes()) { // with the blanks behind it, it could not be read
                    lines.write('\n');
                    expected++;
                    at = next;
                }
            } else {
                map.left(change);
                at = runs.endOfLine(change.offset() + change.length(), plan.length());
            }
        }
        copy(runs, lines, at, plan.length());
        map.copied(plan.length(), expected - plan.length());
        carried = prepended == 0 ? map.lines() : null;
        lines.flush();
        copied = plan.length();
    }

    /** Copies whole lines. If a byte order mark of the first one would begin the file, an empty line goes before it. */
    private void copy(RunCopier runs, BufferedAppender lines, long from, long to) throws IOException {
        if (expected == 0 && from > 0 && from < to && file.hasByteOrderMark(from)) {
            lines.write('\n');
            expected++;
        }
        expected += runs.copy(from, to);
    }

    /**
     * Puts the new file in the place of the log, unless it differs from the plan. The store's lock is held only for
     * what cannot be done before or after: the last lines are copied and synced, and the file is renamed.
     *
     * @param backup is given its final name first; null if there is none
     */
    void finish(@Nullable Backup backup) throws IOException {
        LogIndex index = index();
        after = index;
        int planned = prepended + plan.count() - plan.leaving();
        if (index.count() != planned) {
            throw new IOException("the new " + plan.name() + " has " + Plural.of(index.count(), "entry", "entries")
                    + " instead of " + planned + "; nothing was replaced");
        }
        marks.keep(registry.highestNumbers(plan.index()));
        if (backup != null) {
            backup.finish();
        }
        catchUp(index);
        LogRegistry.Swap swap = registry.prepare(plan.index(), index);
        catchUp(index);
        checksums.forget(file.path());
        appender.alone(() -> replace(index, swap, backup));
        checksums.forget(file.path());
        files.syncName(file.path());
    }

    /** The index of the new file: carried over from the old one, or where that fails made of its lines. */
    private LogIndex index() throws IOException {
        LogIndex.CarriedLines lines = carried;
        carried = null;
        if (lines != null) {
            try {
                return registry.carriedOver(plan.index(), lines, temporary);
            } catch (IOException | RuntimeException e) {
                Log.debug("the index of " + plan.name() + " was not carried over; the new file is read", e);
            }
        }
        return registry.ahead(plan.index(), temporary);
    }

    /** Copies and syncs what was appended, until little is left to be done under the lock. */
    private void catchUp(LogIndex index) throws IOException {
        for (int i = 0; i < ROUNDS && file.length() - copied > SHORT_BYTES; i++) {
            copyAppended(index);
            out.force();
        }
        copyAppended(index);
        out.force();
    }

    private void replace(LogIndex index, LogRegistry.Swap swap, @Nullable Backup backup) throws IOException {
        requireCurrent(registry, plan);
        if (copyAppended(index)) {
            out.force();
        }
        FileSystem.Stat stat = files.stat(temporary);
        if (stat == null || stat.length() != expected) {
            throw new IOException("the new " + plan.name() + " is not as long as planned; nothing was replaced");
        }
        // The commit point: from here on the new file is the log. A writer that syncs lines of it syncs its name too.
        files.rename(temporary, file.path());
        inPlace = true;
        if (backup != null) {
            backup.used();
        }
        if (before != null) {
            before.copiedTo(copied);
            lateWrites.add(before);
        }
        registry.swap(swap);
    }

    /** Throws if a log is no longer the file that was planned with. */
    static void requireCurrent(LogRegistry registry, LogPlan plan) {
        if (!registry.has(plan.index())) {
            throw new XMemException.Invalid(
                    "plan",
                    "is out of date: " + plan.name() + " was replaced since, as another compaction does. Plan again.");
        }
    }

    /** Copies what was appended to the log since; returns false if that is nothing. */
    private boolean copyAppended(LogIndex index) throws IOException {
        long to = file.length();
        if (to <= copied) {
            return false;
        }
        expected += file.copy(copied, to, out);
        copied = to;
        index.indexAhead(temporary);
        return true;
    }

    @Override
    public void close() throws IOException {
        out.close();
        if (!inPlace) {
            if (before != null) {
                before.close();
            }
            if (after != null) {
                after.file().close();
            }
            files.delete(temporary);
        }
    }
}
