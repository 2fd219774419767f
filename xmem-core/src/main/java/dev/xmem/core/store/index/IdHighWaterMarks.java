package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.store.segment.DailyIdCounter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * High-water marks of the daily id counters, in a file of this machine. Compaction and erasure remove lines, so the
 * logs alone cannot tell which ids were used; this file keeps them from being issued again. Thread-safe; one thread of
 * all processes at a time calls {@link #keep}. Decision: docs/adr/0003-identity.md.
 */
public final class IdHighWaterMarks {
    private static final long LONGEST_FILE = 16L << 20;

    private final FileSystem files;
    private final Path file;
    private volatile Map<String, Integer> known = Map.of();

    /** The marks in a file, which is not read yet. */
    public IdHighWaterMarks(FileSystem files, Path file) {
        this.files = files;
        this.file = file;
    }

    /** The mark of a day as it was last read; 0 if there is none. */
    public int highest(String day) {
        return known.getOrDefault(day, 0);
    }

    /** Reads the file, which other processes write, too. */
    public void read() throws IOException {
        known = stored();
    }

    /** Raises the marks to these numbers; they are durable when it returns. */
    public void keep(Map<String, Integer> highest) throws IOException {
        Map<String, Integer> before = stored();
        Map<String, Integer> all = new TreeMap<>(before);
        highest.forEach((day, number) -> all.merge(day, number, Math::max));
        if (!all.equals(before)) {
            files.replace(file, text(all));
        } else if (!all.isEmpty()) {
            // An earlier call may have ended between the rename and the sync of the folder.
            files.syncFolder(Objects.requireNonNull(file.getParent()));
        }
        known = all;
    }

    private byte[] text(Map<String, Integer> numbers) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var json = LineCodec.generator(out)) {
            json.writeStartObject();
            for (Map.Entry<String, Integer> day : numbers.entrySet()) {
                json.writeNumberField(day.getKey(), day.getValue());
            }
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** The marks in the file; none if it is malformed. */
    private Map<String, Integer> stored() throws IOException {
        FileSystem.Stat stat = files.stat(file);
        if (stat == null || stat.length() > LONGEST_FILE) {
            return Map.of();
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = files.open(file)) {
            source.read(0, bytes, 0, bytes.length);
        }
        Map<String, Integer> numbers = new TreeMap<>();
        try {
            LineCodec.fields(bytes).forEach((day, value) -> {
                int number = value instanceof RawJson raw ? DailyIdCounter.numberOf(day, raw.text()) : 0;
                if (number > 0) {
                    numbers.put(day, number);
                }
            });
        } catch (MalformedLineException e) {
            return Map.of();
        }
        return numbers;
    }
}
