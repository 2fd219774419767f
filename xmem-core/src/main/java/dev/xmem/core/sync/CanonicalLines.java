package dev.xmem.core.sync;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * A set of lines in canonical order: by time, id and bytes, malformed lines last. Equal sets give equal bytes. Blank
 * lines and the conflict markers of a merge are ignored. Not thread-safe.
 */
final class CanonicalLines {
    private static final int DIGEST_BYTES = 16;
    private static final Comparator<CanonicalLine> ORDER = Comparator.<CanonicalLine>comparingLong(line -> line.millis)
            .thenComparingInt(line -> line.id.length())
            .thenComparing(line -> line.id)
            .thenComparing(line -> line.bytes, Arrays::compareUnsigned);

    private final Entry.Kind kind;
    private final Map<String, CanonicalLine> lines = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent")
    private record CanonicalLine(long millis, String id, byte[] bytes) {}

    /** An empty set for the lines of a stream. */
    CanonicalLines(String stream) {
        this.kind = StreamImporter.kind(stream);
    }

    /** Adds the lines of a file. */
    void addAll(byte[] text) {
        int start = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '\n') {
                int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
                byte[] line = Arrays.copyOfRange(text, start, end);
                if (!isIgnored(line)) {
                    lines.computeIfAbsent(digest(line), digest -> line(line));
                }
                start = i + 1;
            }
        }
    }

    /** Adds the lines of another set, except those with the given digests. */
    void addAll(CanonicalLines other, Set<String> except) {
        other.lines.forEach((digest, line) -> {
            if (!except.contains(digest)) {
                lines.putIfAbsent(digest, line);
            }
        });
    }

    private CanonicalLine line(byte[] line) {
        try {
            IndexedFields fields = LineCodec.indexedFields(kind, line, 0, line.length);
            return new CanonicalLine(fields.tsMillis(), fields.id() == null ? "" : fields.id(), line);
        } catch (MalformedLineException e) {
            return new CanonicalLine(Long.MAX_VALUE, "", line);
        }
    }

    private static boolean isIgnored(byte[] line) {
        return new String(line, StandardCharsets.ISO_8859_1).isBlank()
                || LineCodec.isConflictMarker(line, 0, line.length);
    }

    /** The first half of the SHA-256 of some bytes, in hexadecimal. */
    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The digests of the lines. */
    Set<String> digests() {
        return lines.keySet();
    }

    /** The lines as a file, in canonical order, except those with the given digests. */
    byte[] without(Set<String> digests) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        lines.entrySet().stream()
                .filter(line -> !digests.contains(line.getKey()))
                .map(Map.Entry::getValue)
                .sorted(ORDER)
                .forEach(line -> {
                    text.writeBytes(line.bytes);
                    text.write('\n');
                });
        return text.toByteArray();
    }
}
