package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of the logs as they were when the store was flushed or closed, in a file of this machine: a line for each
 * log, with a CRC-32C of every {@value #BLOCK_BYTES} bytes. A log only grows, so its checksums stay valid until another
 * file takes its place, which gets new ones. Thread-safe.
 */
public final class LogChecksums {
    private static final int BLOCK_BYTES = 16 << 10;
    private static final int DIGITS = 8;
    private static final long MOST_AT_ONCE = 64L << 20;
    private static final long LONGEST_FILE = 64L << 20;

    private final FileSystem files;
    private final LineCodec codec;
    private final Path root;
    private final Path file;
    private final ReentrantLock sealing = new ReentrantLock();

    /** Checksums of logs below a folder, kept in a file. */
    public LogChecksums(FileSystem files, LineCodec codec, Path root, Path file) {
        this.files = files;
        this.codec = codec;
        this.root = root;
        this.file = file;
    }

    /**
     * The checksums of one log.
     *
     * @param key the identity of the file
     * @param bytes the number of bytes they cover
     * @param blocks the checksums in hexadecimal; the last block may be shorter
     */
    private record Seal(String key, long bytes, String blocks) {
        static final Seal NONE = new Seal("", 0, "");

        /** Hand-written: the one of a record is linked when it is first called, which takes 20 ms at each close. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Seal seal
                    && bytes == seal.bytes
                    && key.equals(seal.key)
                    && blocks.equals(seal.blocks);
        }

        @Override
        public int hashCode() {
            return 31 * key.hashCode() + Long.hashCode(bytes);
        }
    }

    /** Receives differences. */
    public interface Findings {
        /** Part of a log differs from its checksum. */
        void found(Path log, long offset, String what);
    }

    /** Adds checksums of the bytes that have none, of a large log only a part. */
    public void seal(List<Path> logs) throws IOException {
        sealing.lock();
        try {
            Map<String, Seal> before = read();
            Map<String, Seal> after = new TreeMap<>();
            for (Path log : logs) {
                String name = name(log);
                Seal seal = seal(log, before.getOrDefault(name, Seal.NONE));
                if (seal.bytes > 0) {
                    after.put(name, seal);
                }
            }
            if (!after.equals(before)) {
                files.replace(file, text(after));
            }
        } finally {
            sealing.unlock();
        }
    }

    /**
     * Removes the checksums of logs that were replaced by other files. To be called after each replacement: a file
     * system reuses the inode number of a deleted file, and the new file would be taken for the old one, damaged.
     */
    public void forgetReplaced() throws IOException {
        sealing.lock();
        try {
            Map<String, Seal> seals = read();
            boolean gone = false;
            for (String name : List.copyOf(seals.keySet())) {
                FileSystem.Stat stat = files.stat(root.resolve(name));
                Seal seal = seals.getOrDefault(name, Seal.NONE);
                if (stat != null && !seal.key.equals(stat.key().toString())) {
                    seals.remove(name);
                    gone = true;
                }
            }
            if (gone) {
                files.replace(file, text(seals));
            }
        } finally {
            sealing.unlock();
        }
    }

    private Seal seal(Path log, Seal known) throws IOException {
        FileSystem.Stat stat = files.stat(log);
        if (stat == null) {
            return Seal.NONE;
        }
        boolean same = known.key.equals(stat.key().toString()) && known.bytes <= stat.length();
        Seal old = same ? known : new Seal(stat.key().toString(), 0, "");
        if (old.bytes == stat.length()) {
            return old;
        }
        try (FileSystem.Input source = files.open(log)) {
            long whole = old.bytes - old.bytes % BLOCK_BYTES;
            if (whole < old.bytes && !last(old).equals(checksum(source, whole, (int) (old.bytes - whole)))) {
                return old;
            }
            StringBuilder blocks = new StringBuilder(old.blocks.substring(0, (int) (whole / BLOCK_BYTES) * DIGITS));
            long end = Math.min(stat.length(), whole + MOST_AT_ONCE);
            for (long at = whole; at < end; at += BLOCK_BYTES) {
                blocks.append(checksum(source, at, (int) Math.min(BLOCK_BYTES, end - at)));
            }
            FileSystem.Stat now = files.stat(log);
            boolean still = now != null && now.key().equals(stat.key()) && now.length() >= end;
            return still ? new Seal(old.key, end, blocks.toString()) : old;
        }
    }

    /** Compares a log with its checksums, if it has any. */
    public void check(Path log, Findings findings) throws IOException {
        Seal seal = read().getOrDefault(name(log), Seal.NONE);
        FileSystem.Stat stat = files.stat(log);
        if (stat == null || !seal.key.equals(stat.key().toString())) {
            return;
        }
        if (stat.length() < seal.bytes) {
            findings.found(
                    log, stat.length(), "the log ends here, and had " + seal.bytes + " bytes when it was sealed");
        }
        try (FileSystem.Input source = files.open(log)) {
            long end = Math.min(seal.bytes, stat.length());
            for (long at = 0; at < end; at += BLOCK_BYTES) {
                int length = (int) Math.min(BLOCK_BYTES, seal.bytes - at);
                int number = (int) (at / BLOCK_BYTES) * DIGITS;
                boolean whole = at + length <= stat.length();
                if (whole && !seal.blocks.startsWith(checksum(source, at, length), number)) {
                    findings.found(
                            log,
                            at,
                            "the next " + length + " bytes are not those that were sealed: damaged, or"
                                    + " edited in place. If it was an edit, delete " + root.relativize(file));
                }
            }
        }
    }

    private static String last(Seal seal) {
        return seal.blocks.substring(seal.blocks.length() - DIGITS);
    }

    private static String checksum(FileSystem.Input source, long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, Math.max(0, source.read(at, bytes, 0, length)));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private String name(Path log) {
        return log.startsWith(root) ? root.relativize(log).toString() : log.toString();
    }

    private byte[] text(Map<String, Seal> seals) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Map.Entry<String, Seal> seal : seals.entrySet()) {
            try (var json = codec.generator(out)) {
                json.writeStartObject();
                json.writeStringField("log", seal.getKey());
                json.writeStringField("key", seal.getValue().key);
                json.writeNumberField("bytes", seal.getValue().bytes);
                json.writeStringField("crc32c", seal.getValue().blocks);
                json.writeEndObject();
            }
            out.write('\n');
        }
        return out.toByteArray();
    }

    /** The checksums in the file; malformed lines are ignored. */
    private Map<String, Seal> read() throws IOException {
        Map<String, Seal> seals = new TreeMap<>();
        FileSystem.Stat stat = files.stat(file);
        if (stat == null || stat.length() == 0 || stat.length() > LONGEST_FILE) {
            return seals;
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = files.open(file)) {
            source.read(0, bytes, 0, bytes.length);
        }
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            add(line, seals);
        }
        return seals;
    }

    private void add(String line, Map<String, Seal> seals) {
        try {
            Map<String, Object> fields = codec.fields(line.getBytes(StandardCharsets.UTF_8));
            if (fields.get("log") instanceof String log
                    && fields.get("key") instanceof String key
                    && fields.get("bytes") instanceof RawJson number
                    && fields.get("crc32c") instanceof String blocks) {
                long bytes = Long.parseLong(number.text());
                long expected = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * DIGITS;
                if (bytes > 0 && blocks.length() == expected) {
                    seals.put(log, new Seal(key, bytes, blocks));
                }
            }
        } catch (MalformedLineException | NumberFormatException e) {
            // as if it were missing: it is made again
        }
    }
}
