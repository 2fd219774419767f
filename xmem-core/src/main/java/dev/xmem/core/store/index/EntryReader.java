package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineFields;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.segment.LineColumns;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads entries by their ordinals. Thread-safe. */
public final class EntryReader {
    /** The entry of a line. */
    public Entry entry(LogIndex log, int ordinal) throws IOException {
        SegmentList lines = log.segments();
        LineColumns part = lines.of(ordinal);
        int line = lines.in(ordinal);
        return entry(log, lines, ordinal, log.file().readLine(part.offset(line), part.length(line)), null);
    }

    /**
     * The entry of a line with these bytes, which the caller must not change afterwards.
     *
     * @param fields the fields in them; null if they were not looked for
     */
    public Entry entry(LogIndex log, int ordinal, byte[] bytes, @Nullable LineFields fields) {
        return entry(log, log.segments(), ordinal, bytes, fields);
    }

    private Entry entry(LogIndex log, SegmentList lines, int ordinal, byte[] bytes, @Nullable LineFields fields) {
        LineColumns part = lines.of(ordinal);
        int line = lines.in(ordinal);
        Entry.Kind kind = part.kind(line);
        LineFields known = fields == null ? LineFields.of(bytes) : fields;
        String own = StoredEntries.id(known);
        String id = log.id(lines, ordinal, kind, own == null ? part.id(line) : own);
        return StoredEntries.of(kind, bytes, known, id);
    }

    /** Whether an entry that was read before is still shown under its id. */
    public boolean isCurrent(LogIndex log, int ordinal, Entry entry) {
        String own = StoredEntries.field(entry, "id");
        SegmentList lines = log.segments();
        String id = own == null || own.isBlank() ? log.id(ordinal) : log.id(lines, ordinal, lines.kind(ordinal), own);
        return entry.id().equals(id);
    }
}
