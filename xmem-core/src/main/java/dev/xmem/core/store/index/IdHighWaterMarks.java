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
 * The highest number that each day's ids had when lines left a log, in a file of this machine's own: the log that is left
 * does not tell, and no id is given to two entries. Thread-safe; {@link #keep} by one at a time, over all processes.
 */
public final class IdHighWaterMarks {
    private static final long LONGEST_FILE = 16L << 20;

    private final FileSystem disk;
    private final LineCodec codec;
    private final Path file;
    private volatile Map<String, Integer> known = Map.of();

    /** Numbers that are kept in a file; none before it is read. */
    public IdHighWaterMarks(FileSystem disk, LineCodec codec, Path file) {
        this.disk = disk;
        this.codec = codec;
        this.file = file;
    }

    /** The highest number of a day as it was last read; 0 if there is none. */
    public int highest(String day) {
        return known.getOrDefault(day, 0);
    }

    /** Reads what this and other processes kept. */
    public void read() throws IOException {
        known = stored();
    }

    /** Keeps the highest number of each day; durable when it returns. */
    public void keep(Map<String, Integer> highest) throws IOException {
        Map<String, Integer> before = stored();
        Map<String, Integer> all = new TreeMap<>(before);
        highest.forEach((day, number) -> all.merge(day, number, Math::max));
        if (!all.equals(before)) {
            disk.replace(file, text(all));
        } else if (!all.isEmpty()) {
            // An earlier one may have ended between the renaming and its becoming durable.
            disk.syncFolder(Objects.requireNonNull(file.getParent()));
        }
        known = all;
    }

    private byte[] text(Map<String, Integer> numbers) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var json = codec.generator(out)) {
            json.writeStartObject();
            for (Map.Entry<String, Integer> day : numbers.entrySet()) {
                json.writeNumberField(day.getKey(), day.getValue());
            }
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** What is in the file; nothing where it is not what is written here. */
    private Map<String, Integer> stored() throws IOException {
        FileSystem.Stat stat = disk.stat(file);
        if (stat == null || stat.length() > LONGEST_FILE) {
            return Map.of();
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = disk.open(file)) {
            source.read(0, bytes, 0, bytes.length);
        }
        Map<String, Integer> numbers = new TreeMap<>();
        try {
            codec.fields(bytes).forEach((day, value) -> {
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
