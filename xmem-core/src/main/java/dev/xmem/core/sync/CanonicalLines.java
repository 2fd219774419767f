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
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lines of a file as a set, in an order that they alone decide: by time, then id, then bytes, and last what is no
 * object. Blank lines and what a merge by hand leaves between lines are none.
 */
final class CanonicalLines {
    private static final int DIGEST_BYTES = 16;
    private static final Comparator<Line> ORDER = Comparator.<Line>comparingLong(line -> line.millis)
            .thenComparingInt(line -> line.id.length())
            .thenComparing(line -> line.id)
            .thenComparing(line -> line.bytes, Arrays::compareUnsigned);

    private final LineCodec codec;
    private final Entry.Kind kind;
    private final Map<String, Line> lines = new HashMap<>();

    private static final class Line {
        private final long millis;
        private final String id;
        private final byte[] bytes;

        Line(long millis, String id, byte[] bytes) {
            this.millis = millis;
            this.id = id;
            this.bytes = bytes;
        }
    }

    CanonicalLines(LineCodec codec, Entry.Kind kind) {
        this.codec = codec;
        this.kind = kind;
    }

    /** Adds the lines of a text. */
    void addAll(byte[] text) {
        int start = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '\n') {
                int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
                byte[] line = Arrays.copyOfRange(text, start, end);
                if (!isNone(line)) {
                    lines.computeIfAbsent(digest(line), digest -> line(line));
                }
                start = i + 1;
            }
        }
    }

    /** Adds the lines of another that a set of digests does not name. */
    void addAll(CanonicalLines other, Set<String> but) {
        other.lines.forEach((digest, line) -> {
            if (!but.contains(digest)) {
                lines.putIfAbsent(digest, line);
            }
        });
    }

    private Line line(byte[] line) {
        try {
            IndexedFields facts = codec.facts(kind, line, 0, line.length);
            return new Line(facts.tsMillis(), facts.id() == null ? "" : facts.id(), line);
        } catch (MalformedLineException e) {
            return new Line(Long.MAX_VALUE, "", line);
        }
    }

    private static boolean isNone(byte[] line) {
        if (line.length == 0) {
            return true;
        }
        int same = 1;
        while (same < line.length && line[same] == line[0]) {
            same++;
        }
        boolean marker = same == 7 && (line.length == 7 || line[7] == ' ');
        return marker && "<=>|".indexOf(line[0]) >= 0 || new String(line, StandardCharsets.ISO_8859_1).isBlank();
    }

    private static String digest(byte[] line) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(line), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** What the lines are known by. */
    Set<String> digests() {
        return lines.keySet();
    }

    /** The file. */
    byte[] bytes() {
        return text(lines.values().stream().sorted(ORDER).toList());
    }

    /** The lines that another has not, as a file. */
    byte[] without(CanonicalLines other) {
        return text(lines.entrySet().stream()
                .filter(line -> !other.lines.containsKey(line.getKey()))
                .map(Map.Entry::getValue)
                .sorted(ORDER)
                .toList());
    }

    private static byte[] text(List<Line> sorted) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (Line line : sorted) {
            text.writeBytes(line.bytes);
            text.write('\n');
        }
        return text.toByteArray();
    }
}
