package dev.xmem.core.sync;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files read at once: those of the machine's own, a JSON object a line, and stretches of others. */
final class JsonLinesFile {
    private static final int MAX_BYTES = 64 << 20;
    private static final int FIRST_WINDOW = 1 << 10;

    private JsonLinesFile() {}

    /** The objects of a file, one a line; none if there is no such file or it is broken. */
    static List<Map<String, Object>> read(FileSystem disk, LineCodec codec, Path file) throws IOException {
        byte[] bytes = bytes(disk, file);
        List<Map<String, Object>> objects = new ArrayList<>();
        try {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
                if (!line.isBlank()) {
                    objects.add(codec.fields(line.getBytes(StandardCharsets.UTF_8)));
                }
            }
        } catch (MalformedLineException e) {
            return List.of();
        }
        return objects;
    }

    private static byte[] bytes(FileSystem disk, Path file) throws IOException {
        FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
        return stat == null || stat.length() > MAX_BYTES ? new byte[0] : read(disk, file, 0, (int) stat.length());
    }

    /** A stretch of a file; shorter where the file ends before. */
    static byte[] read(FileSystem disk, Path file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (FileSystem.Input source = disk.open(file)) {
            int read = Math.max(0, source.read(from, bytes, 0, length));
            return read == length ? bytes : Arrays.copyOf(bytes, read);
        }
    }

    /**
     * Whole lines from a position on, with their newlines; one at least, if there is one of up to 64 MiB.
     *
     * @param end where the file ends
     * @param most how many bytes at most, if there is a line end among them
     */
    static byte[] lines(FileSystem disk, Path file, long from, long end, long most) throws IOException {
        long wanted = Math.min(most, end - from);
        while (wanted > 0) {
            byte[] bytes = read(disk, file, from, (int) wanted);
            for (int i = bytes.length - 1; i >= 0; i--) {
                if (bytes[i] == '\n') {
                    return i + 1 == bytes.length ? bytes : Arrays.copyOf(bytes, i + 1);
                }
            }
            if (wanted == end - from || wanted >= MAX_BYTES) {
                break;
            }
            wanted = Math.min(2 * wanted, end - from);
        }
        return new byte[0];
    }

    /** Where the line begins that ends at a position; the position itself where the file does not reach so far. */
    static long lastLine(FileSystem disk, Path file, long end) throws IOException {
        int most = (int) Math.min(MAX_BYTES, end);
        for (int length = Math.min(FIRST_WINDOW, most); length > 0; length = Math.min(8 * length, most)) {
            byte[] bytes = read(disk, file, end - length, length);
            for (int i = bytes.length - 2; i >= 0; i--) {
                if (bytes[i] == '\n') {
                    return end - length + i + 1;
                }
            }
            if (bytes.length < length || length == MAX_BYTES) {
                return end;
            }
            if (length == most) {
                return 0;
            }
        }
        return end;
    }

    static @Nullable String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : null;
    }

    /** A whole number that is not negative; -1 if there is none. */
    static long number(Map<String, Object> fields, String name) {
        try {
            return fields.get(name) instanceof RawJson raw ? Long.parseLong(raw.text()) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
