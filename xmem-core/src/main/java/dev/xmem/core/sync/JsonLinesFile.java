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

/** Reads whole NDJSON files and ranges of them. Stateless. */
final class JsonLinesFile {
    private static final int MAX_BYTES = 64 << 20;
    private static final int FIRST_WINDOW = 1 << 10;
    private static final int WINDOW = 1 << 16;

    private JsonLinesFile() {}

    /** The objects of a file, one per line; empty if the file is missing, malformed or longer than 64 MiB. */
    static List<Map<String, Object>> read(FileSystem fileSystem, Path file) throws IOException {
        FileSystem.Stat stat = fileSystem.stat(file);
        List<Map<String, Object>> objects = new ArrayList<>();
        if (stat == null || stat.length() > MAX_BYTES) {
            return objects;
        }
        byte[] bytes = fileSystem.read(file, 0, (int) stat.length());
        try {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
                if (!line.isBlank()) {
                    objects.add(LineCodec.fields(line.getBytes(StandardCharsets.UTF_8)));
                }
            }
        } catch (MalformedLineException e) {
            return List.of();
        }
        return objects;
    }

    /**
     * Whole lines from a position on, with their newlines; at least one, if the file has one of up to 64 MiB there.
     *
     * @param end the length of the file
     * @param maxBytes the maximum size, unless the first line is longer
     */
    static byte[] lines(FileSystem fileSystem, Path file, long from, long end, long maxBytes) throws IOException {
        int wanted = (int) Math.min(maxBytes, end - from);
        byte[] bytes = fileSystem.read(file, from, Math.max(0, wanted));
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == '\n') {
                return i + 1 == bytes.length ? bytes : Arrays.copyOf(bytes, i + 1);
            }
        }
        long to = endOfLine(fileSystem, file, from + bytes.length);
        boolean ends = to > from && to <= end && isNewline(fileSystem, file, to - 1);
        return ends ? fileSystem.read(file, from, (int) (to - from)) : new byte[0];
    }

    /** The start of the line that ends at a position; the position itself if the file is shorter. */
    static long lastLine(FileSystem fileSystem, Path file, long end) throws IOException {
        int most = (int) Math.min(MAX_BYTES, end);
        for (int length = Math.min(FIRST_WINDOW, most); length > 0; length = Math.min(8 * length, most)) {
            byte[] bytes = fileSystem.read(file, end - length, length);
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

    /** The start of the line that a position is in; the position itself if it is a start. */
    static long startOfLine(FileSystem fileSystem, Path file, long position) throws IOException {
        if (position == 0 || isNewline(fileSystem, file, position - 1)) {
            return position;
        }
        return lastLine(fileSystem, file, position);
    }

    /** The end of the line before which a position is, at most 64 MiB further; the position itself if it is an end. */
    static long endOfLine(FileSystem fileSystem, Path file, long position) throws IOException {
        if (position == 0 || isNewline(fileSystem, file, position - 1)) {
            return position;
        }
        for (long at = position; at - position < MAX_BYTES; at += WINDOW) {
            byte[] bytes = fileSystem.read(file, at, WINDOW);
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return at + i + 1;
                }
            }
            if (bytes.length < WINDOW) {
                return at + bytes.length;
            }
        }
        return position;
    }

    private static boolean isNewline(FileSystem fileSystem, Path file, long position) throws IOException {
        byte[] one = fileSystem.read(file, position, 1);
        return one.length == 1 && one[0] == '\n';
    }

    /** A text field; empty if there is none. */
    static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** A non-negative integer field; -1 if there is none. */
    static long number(Map<String, Object> fields, String name) {
        try {
            return fields.get(name) instanceof RawJson raw ? Long.parseLong(raw.text()) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
