package dev.xmem.core.maintain.compact;

import dev.xmem.XMemException;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.io.ExclusiveAccess;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes one log anew beside the old file and puts it in place. Most of it happens without a lock; what is appended
 * meanwhile is copied as it stands, the last of it under the store's mutex, and then the new file takes the old one's name.
 * Used once.
 */
final class LogRewriter implements Closeable {
    private static final long SHORT_BYTES = 64 << 10;
    private static final int ROUNDS = 40;

    private final FileSystem disk;
    private final LogRegistry catalog;
    private final IdHighWaterMarks spent;
    private final ExclusiveAccess exclusive;
    private final LateWrites stragglers;
    private final LogPlan plan;
    private final LogFile file;
    private final Path temporary;
    private final FileSystem.Output out;
    private final @Nullable ReplacedLog before;
    private long expected;
    private int beginning;
    private long copied;
    private boolean inPlace;

    LogRewriter(
            FileSystem disk,
            LogRegistry catalog,
            IdHighWaterMarks spent,
            ExclusiveAccess exclusive,
            LateWrites stragglers,
            LogPlan plan)
            throws IOException {
        this.disk = disk;
        this.catalog = catalog;
        this.spent = spent;
        this.exclusive = exclusive;
        this.stragglers = stragglers;
        this.plan = plan;
        this.file = plan.index().file();
        this.temporary = file.path().resolveSibling(file.path().getFileName() + ".compacting");
        disk.delete(temporary);
        this.before = disk.exists(file.path()) ? new ReplacedLog(disk, file.path()) : null;
        this.out = disk.append(temporary);
    }

    /** Begins with the lines of another file, so many different ones. */
    void begin(Path other, int lines) throws IOException {
        beginning = lines;
        byte[] chunk = new byte[(int) SHORT_BYTES];
        byte last = '\n';
        try (FileSystem.Input source = disk.open(other)) {
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

    /** Copies what the plan has seen, but for what it changes. */
    void write() throws IOException {
        BufferedAppender lines = new BufferedAppender(out);
        RunCopier runs = new RunCopier(file, lines);
        long at = 0;
        for (LineChange change : plan.changes()) {
            expected += runs.copy(at, change.offset());
            byte[] line = change.line();
            if (!change.leaves() && line != null) {
                lines.write(line);
                expected += line.length;
                at = change.offset() + change.length();
            } else {
                at = runs.endOfLine(change.offset() + change.length(), plan.length());
            }
        }
        expected += runs.copy(at, plan.length());
        lines.flush();
        copied = plan.length();
    }

    /**
     * Puts the file in place of the log, unless it is not what the plan says. Under the store's mutex is done what cannot be
     * done before or after: the last lines are copied and forced, and the file gets its name.
     *
     * @param backup gets its name before; null where there is none
     */
    void finish(@Nullable Backup backup) throws IOException {
        LogIndex index = catalog.ahead(plan.index(), temporary);
        int planned = beginning + plan.count() - plan.leaving();
        if (index.count() != planned) {
            throw new IOException("the new " + plan.name() + " has " + Plural.of(index.count(), "entry", "entries")
                    + " instead of " + planned + "; nothing was replaced");
        }
        spent.keep(catalog.highestNumbers(plan.index()));
        if (backup != null) {
            backup.finish();
        }
        catchUp(index);
        LogRegistry.Swap swap = catalog.prepare(plan.index(), index);
        catchUp(index);
        exclusive.alone(() -> replace(index, swap, backup));
        disk.syncName(file.path());
    }

    /** Copies what was appended until little is left that is not on the medium. */
    private void catchUp(LogIndex index) throws IOException {
        for (int i = 0; i < ROUNDS && file.length() - copied > SHORT_BYTES; i++) {
            copyTail(index);
            out.force();
        }
        copyTail(index);
        out.force();
    }

    private void replace(LogIndex index, LogRegistry.Swap swap, @Nullable Backup backup) throws IOException {
        requireCurrent(catalog, plan);
        if (copyTail(index)) {
            out.force();
        }
        FileSystem.Stat stat = disk.stat(temporary);
        if (stat == null || stat.length() != expected) {
            throw new IOException("the new " + plan.name() + " is not as long as planned; nothing was replaced");
        }
        // The commit point: from here on the new file is the log. Whoever forces lines of it forces its name too.
        disk.rename(temporary, file.path());
        inPlace = true;
        if (backup != null) {
            backup.used();
        }
        if (before != null) {
            before.copiedTo(copied);
            stragglers.addAtOnce(before);
        }
        catalog.swap(swap);
    }

    /** Fails if a log is another file than the one that was planned with. */
    static void requireCurrent(LogRegistry catalog, LogPlan plan) {
        if (!catalog.has(plan.index())) {
            throw new XMemException.Invalid(
                    "plan", "is out of date: " + plan.name() + " was replaced since. Plan again.");
        }
    }

    /** Copies what the log has more by now; false if that is nothing. */
    private boolean copyTail(LogIndex index) throws IOException {
        long to = file.length();
        if (to <= copied) {
            return false;
        }
        expected += file.copy(copied, to, out);
        copied = to;
        index.learnAhead(temporary);
        return true;
    }

    @Override
    public void close() throws IOException {
        out.close();
        if (!inPlace) {
            if (before != null) {
                before.close();
            }
            disk.delete(temporary);
        }
    }
}
