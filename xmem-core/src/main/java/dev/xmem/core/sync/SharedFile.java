package dev.xmem.core.sync;

import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The parsed name of a file in a shared folder: {@code <stream>.<generation>.jsonl}, or the same with the text that a
 * synchronised drive adds to the name of a conflict copy.
 *
 * @param copy the added text of a conflict copy; empty for the owner's file
 */
record SharedFile(Path path, String stream, long generation, String copy) {
    private static final Pattern NAME = Pattern.compile("([a-z0-9-]{1,64})\\.(\\d{1,12})((?!\\d).*)?\\.jsonl");
    private static final Pattern COPY = Pattern.compile(".*-copy[0-9a-f]{8}");

    static String name(String stream, long generation) {
        return stream + "." + generation + ".jsonl";
    }

    /** Parses a file name; null if it has another form. */
    static @Nullable SharedFile of(Path path) {
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        if (!name.matches() || !Stream.isName(name.group(1)) || Long.parseLong(name.group(2)) > Head.LAST_GENERATION) {
            return null;
        }
        String rest = name.group(3) == null ? "" : name.group(3);
        return new SharedFile(path, name.group(1), Long.parseLong(name.group(2)), rest);
    }

    /** The owner's files by stream name, the newest generation of each stream. */
    static Map<String, SharedFile> newest(List<Path> files) {
        Map<String, SharedFile> newest = new TreeMap<>();
        for (Path path : files) {
            SharedFile file = of(path);
            if (file != null && file.copy.isEmpty()) {
                newest.merge(file.stream, file, (a, b) -> a.generation >= b.generation ? a : b);
            }
        }
        return newest;
    }

    /** The conflict copies of the newest generations; each is a stream of its own, with a derived name. */
    static Map<String, SharedFile> copies(List<Path> files) {
        Map<String, SharedFile> newest = newest(files);
        Map<String, SharedFile> copies = new TreeMap<>();
        for (Path path : files) {
            SharedFile file = of(path);
            SharedFile original = file == null ? null : newest.get(file.stream);
            if (file != null && !file.copy.isEmpty() && original != null && original.generation == file.generation) {
                CRC32 crc = new CRC32();
                crc.update(file.copy.getBytes(StandardCharsets.UTF_8));
                String name = file.stream + "-copy" + HexFormat.of().toHexDigits((int) crc.getValue());
                if (Stream.isName(name)) {
                    copies.put(name, file);
                }
            }
        }
        return copies;
    }

    /** Whether the name is that of a stream made from a conflict copy. */
    static boolean isCopy(String stream) {
        return COPY.matcher(stream).matches();
    }
}
