package dev.xmem.core.store.index;

import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.trace.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of the logs as they were when the store was flushed or closed, in a file of this machine: a line for each
 * log, with a CRC-32C of every {@value #BLOCK_BYTES} bytes. A log only grows, so its checksums stay valid. Those of the
 * store's own logs are kept until this library replaces the log, or the user deletes them: a copy is compared as well,
 * and what is gone is missed. Others write to the logs of peers and to shared ones as they like; their checksums are of
 * one file, and go with it. Thread-safe. Decision: docs/adr/0125-checksums-outlive-a-file.md.
 */
public final class LogChecksums {
    private static final int BLOCK_BYTES = 16 << 10;
    private static final int DIGITS = 8;
    private static final long MOST_AT_ONCE = 64L << 20;
    private static final long LONGEST_FILE = 64L << 20;

    /** How long sealing waits for the lock; the next flush seals what this one leaves. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** How long the removal of checksums waits: longer than the index of any store is written. */
    private static final Duration LONG_PATIENCE = Duration.ofSeconds(30);

    private final FileSystem files;
    private final StorePaths paths;

    /** Checksums of the logs of a store. */
    public LogChecksums(FileSystem files, StorePaths paths) {
        this.files = files;
        this.paths = paths;
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

        boolean isOf(FileSystem.Stat stat) {
            return key.equals(stat.key().toString());
        }

        int length(int block) {
            return (int) Math.min(BLOCK_BYTES, bytes - (long) block * BLOCK_BYTES);
        }

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
        /**
         * Part of a log is gone, or differs from its checksum.
         *
         * @param replaced whether the log is another file than the one that was sealed, and not shorter
         */
        void found(Path log, long offset, String what, boolean replaced);
    }

    /** Adds checksums of the bytes that have none, of a large log only a part. Does nothing while others write them. */
    public void seal(List<Path> logs) throws IOException {
        change(PATIENCE, seals -> {
            Map<String, Seal> before = Map.copyOf(seals);
            seals.keySet().removeIf(name -> !isKept(paths.root().resolve(name)));
            for (Path log : logs) {
                Seal seal = seal(log, before.getOrDefault(name(log), Seal.NONE));
                if (seal.bytes > 0) {
                    seals.put(name(log), seal);
                } else {
                    seals.remove(name(log));
                }
            }
        });
    }

    /**
     * Removes the checksums of a log that this library replaces. To be called before and after: other processes may
     * write them again in between, and whoever dies in between must not leave those of the old file.
     */
    public void forget(Path log) {
        forget(seals -> seals.remove(name(log)));
    }

    /**
     * Removes the checksums of logs of peers that were replaced by other files: a file system reuses the inode number
     * of a deleted file, and the new file would be taken for the old one, damaged.
     */
    public void forgetReplacedPeers() {
        forget(seals -> {
            for (Map.Entry<String, Seal> seal : List.copyOf(seals.entrySet())) {
                Path log = paths.root().resolve(seal.getKey());
                FileSystem.Stat stat = log.startsWith(paths.peers()) ? files.stat(log) : null;
                if (stat != null && !seal.getValue().isOf(stat)) {
                    seals.remove(seal.getKey());
                }
            }
        });
    }

    private void forget(Change change) {
        String kept = "the checksums of replaced logs were not removed; verify will report these logs";
        try {
            if (!change(LONG_PATIENCE, change)) {
                Log.debug(kept, null);
            }
        } catch (IOException | RuntimeException e) {
            Log.debug(kept, e);
        }
    }

    /** What is done with the checksums in the file. */
    private interface Change {
        void of(Map<String, Seal> seals) throws IOException;
    }

    /** Returns false if another process held the lock for that long. */
    private boolean change(Duration patience, Change change) throws IOException {
        try (FileSystem.FileLock lock = files.lock(paths.indexLock())) {
            if (!lock.acquire(patience.toNanos())) {
                return false;
            }
            try {
                Map<String, Seal> seals = read();
                Map<String, Seal> before = Map.copyOf(seals);
                change.of(seals);
                if (!seals.equals(before)) {
                    files.replace(paths.seals(), text(seals));
                }
            } finally {
                lock.release();
            }
            return true;
        }
    }

    /** Whether only this library replaces a log: it is the store's own, and not shared. */
    private boolean isKept(Path log) {
        return log.startsWith(paths.data()) && !log.startsWith(paths.peers());
    }

    private Seal seal(Path log, Seal known) throws IOException {
        FileSystem.Stat stat = files.stat(log);
        boolean kept = isKept(log);
        if (stat == null || kept && stat.length() < known.bytes) {
            return kept ? known : Seal.NONE;
        }
        boolean same = known.isOf(stat) && known.bytes <= stat.length();
        Seal old = same || kept ? known : Seal.NONE;
        if (same && old.bytes == stat.length()) {
            return old;
        }
        try (FileSystem.Input source = files.open(log)) {
            int last = (int) ((old.bytes - 1) / BLOCK_BYTES);
            if (old.bytes > 0 && (!agrees(source, old, last) || !same && firstChange(source, old) >= 0)) {
                return old;
            }
            long whole = old.bytes - old.bytes % BLOCK_BYTES;
            StringBuilder blocks = new StringBuilder(old.blocks.substring(0, (int) (whole / BLOCK_BYTES) * DIGITS));
            long end = Math.min(stat.length(), Math.max(old.bytes, whole + MOST_AT_ONCE));
            for (long at = whole; at < end; at += BLOCK_BYTES) {
                blocks.append(checksum(source, at, (int) Math.min(BLOCK_BYTES, end - at)));
            }
            FileSystem.Stat now = files.stat(log);
            boolean still = now != null && now.key().equals(stat.key()) && now.length() >= end;
            return still ? new Seal(stat.key().toString(), end, blocks.toString()) : old;
        }
    }

    /**
     * Compares the logs with their checksums.
     *
     * @return the logs of this store that have no checksums, or those of another file
     */
    public List<Path> check(List<Path> logs, Findings findings) throws IOException {
        List<Path> unknown = new ArrayList<>();
        Map<String, Seal> seals = read();
        for (Path log : logs) {
            Seal seal = seals.getOrDefault(name(log), Seal.NONE);
            FileSystem.Stat stat = files.stat(log);
            boolean comparable = seal.bytes > 0 && (isKept(log) || stat != null && seal.isOf(stat));
            if (comparable) {
                check(log, seal, findings);
            } else if (stat != null && stat.length() > 0 && !log.startsWith(paths.peers())) {
                unknown.add(log);
            }
            seals.remove(name(log));
        }
        for (Map.Entry<String, Seal> other : seals.entrySet()) {
            Path log = paths.root().resolve(other.getKey());
            if (isKept(log) && !files.exists(log)) {
                check(log, other.getValue(), findings);
            }
        }
        return unknown;
    }

    private void check(Path log, Seal seal, Findings findings) throws IOException {
        Map<Long, String> found = new TreeMap<>();
        FileSystem.Stat stat = files.stat(log);
        long replaced = -1;
        if (stat == null) {
            found.put(0L, "the log is gone, and had " + seal.bytes + " bytes when it was sealed");
        } else {
            if (stat.length() < seal.bytes) {
                found.put(stat.length(), "the log ends here, and had " + seal.bytes + " bytes when it was sealed");
            }
            try (FileSystem.Input source = files.open(log)) {
                if (seal.isOf(stat)) {
                    compare(source, stat.length(), seal, found);
                } else if (found.isEmpty()) {
                    replaced = firstChange(source, seal);
                }
            }
        }
        // another process may have replaced the log meanwhile
        if ((!found.isEmpty() || replaced >= 0) && seal.equals(read().get(name(log)))) {
            String meant = ". If that was meant, delete " + paths.root().relativize(paths.seals());
            found.forEach((at, what) -> findings.found(log, at, what + meant, false));
            if (replaced >= 0) {
                String what = "another program replaced the file, and from here on its bytes are not those that were"
                        + " sealed: edited, sorted or damaged";
                findings.found(log, replaced, what + meant, true);
            }
        }
    }

    private static void compare(FileSystem.Input source, long length, Seal seal, Map<Long, String> found)
            throws IOException {
        for (int block = 0; (long) block * BLOCK_BYTES < Math.min(seal.bytes, length); block++) {
            long at = (long) block * BLOCK_BYTES;
            int sealed = seal.length(block);
            if (at + sealed <= length && !agrees(source, seal, block)) {
                found.put(
                        at,
                        "the next " + sealed + " bytes are not those that were sealed: damaged, or edited in place");
            }
        }
    }

    /** Where the first block is whose bytes are not those that were sealed; -1 if there is none. */
    private static long firstChange(FileSystem.Input source, Seal seal) throws IOException {
        for (int block = 0; (long) block * BLOCK_BYTES < seal.bytes; block++) {
            if (!agrees(source, seal, block)) {
                return (long) block * BLOCK_BYTES;
            }
        }
        return -1;
    }

    private static boolean agrees(FileSystem.Input source, Seal seal, int block) throws IOException {
        String sum = checksum(source, (long) block * BLOCK_BYTES, seal.length(block));
        return seal.blocks.startsWith(sum, block * DIGITS);
    }

    private static String checksum(FileSystem.Input source, long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, Math.max(0, source.read(at, bytes, 0, length)));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private String name(Path log) {
        Path root = paths.root();
        return log.startsWith(root) ? root.relativize(log).toString() : log.toString();
    }

    private byte[] text(Map<String, Seal> seals) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Map.Entry<String, Seal> seal : seals.entrySet()) {
            try (var json = LineCodec.generator(out)) {
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
        FileSystem.Stat stat = files.stat(paths.seals());
        if (stat == null || stat.length() == 0 || stat.length() > LONGEST_FILE) {
            return seals;
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input source = files.open(paths.seals())) {
            source.read(0, bytes, 0, bytes.length);
        }
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            add(line, seals);
        }
        return seals;
    }

    private void add(String line, Map<String, Seal> seals) {
        try {
            Map<String, Object> fields = LineCodec.fields(line.getBytes(StandardCharsets.UTF_8));
            if (fields.get("log") instanceof String log
                    && fields.get("key") instanceof String key
                    && fields.get("bytes") instanceof RawJson number
                    && fields.get("crc32c") instanceof String blocks) {
                long bytes = Long.parseLong(number.text());
                long expected = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * DIGITS;
                if (bytes > 0 && blocks.length() == expected) {
                    seals.put(name(paths.root().resolve(log)), new Seal(key, bytes, blocks));
                }
            }
        } catch (MalformedLineException | IllegalArgumentException e) {
            // as if it were missing: it is made again
        }
    }
}
