package dev.xmem.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Changes bytes at random, for tests of what reads files and messages of others: flipped bits, cut, repeated and
 * foreign parts, lines in another order, and JSON values and keys that a reader does not expect. What is changed often
 * stays JSON, so that it gets past the parser. The same generator and inputs give the same bytes.
 */
public final class HostileBytes {
    private static final int LONG = 70_000;
    private static final int DEEP = 2_000;

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1e999",
            "-0.0",
            "1e-400",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "1" + "0".repeat(400),
            "[]",
            "{}",
            "[null]",
            "[[\"x\"]]",
            "{\"a\":{\"a\":null}}",
            "[".repeat(DEEP) + "]".repeat(DEEP),
            "\"\"",
            "\" \"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800 x\"",
            "\"\\u202e\\u200b\\ufeff\"",
            "\"\u2028\u0085\"",
            "\"/\"",
            "\"..\"",
            "\"../../x\"",
            "\"/dev/zero\"",
            "\"" + "a".repeat(LONG) + "\"",
            "\"" + "a ".repeat(300) + "\"",
            "\"12000-01-01T00:00:00Z\"",
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "\"-999999999-01-01T00:00:00Z\"",
            "\"0000-00-00T00:00:00Z\"",
            "\"2026-06-01T12:00:60+18:00\"",
            "\"2099-12-31T23:59:59Z\"",
            "\"2026-06-01-000\"",
            "\"2026-06-01-001\"",
            "\"2026-06-01-9223372036854775807\"",
            "\"2026-02-30-001\"",
            "\"12000-01-01-001\"",
            "\"2026-06-01-001@\"",
            "\"2026-06-01-001@user\"",
            "\"2026-06-01-001@00000000\"",
            "\"tool_failure\"",
            "\"tool_success\"",
            "\"memory\"",
            "\"note\"",
            "\"outcome\"",
            "\"amendment\"",
            "\"tool_mood\"",
            "\"critical\"",
            "\"worked\"",
            "\"retag\"",
            "\"dismiss\"",
            "\"replace\"");

    private static final List<String> PIECES = List.of(
            "\0",
            "\n",
            "\r\n",
            "\n\n",
            "\ufeff",
            "{}\n",
            "[]\n",
            "null\n",
            "{\"a\":1,\"a\":2}\n",
            "{".repeat(DEEP),
            "<<<<<<< ours\n",
            "=======\n",
            ">>>>>>> theirs\n",
            "\"",
            "\\",
            ",",
            "}",
            "]",
            "\u001b[2J",
            "/",
            "--",
            "${x}",
            "%s%n");

    private final RandomGenerator random;

    /** A mutator that takes its decisions from this generator. */
    public HostileBytes(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Bytes made of others by one to four changes.
     *
     * @param bytes what is changed; it stays as it is
     * @param other where foreign parts come from
     */
    public byte[] changed(byte[] bytes, byte[] other) {
        byte[] result = bytes;
        for (int changes = 1 + random.nextInt(1 + random.nextInt(4)); changes > 0; changes--) {
            result = changedOnce(result, other);
        }
        return result;
    }

    private byte[] changedOnce(byte[] bytes, byte[] other) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + size());
        switch (random.nextInt(24)) {
            case 0:
                return flipped(bytes);
            case 1:
                return spliced(bytes, from, from, random(size()));
            case 2:
                return spliced(bytes, from, to, new byte[0]);
            case 3:
                return spliced(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
            case 4:
                return Arrays.copyOf(bytes, from);
            case 5:
                return spliced(bytes, from, to, new byte[size()]);
            case 6:
                return spliced(bytes, from, to, part(other));
            case 7:
                return spliced(bytes, from, from, utf8(PIECES.get(random.nextInt(PIECES.size()))));
            case 8:
            case 9:
                return withLine(bytes, line(random.nextBoolean() ? bytes : other));
            case 10:
                return withoutLine(bytes);
            case 11:
                return withOtherKey(bytes, other);
            default:
                return withOtherValue(bytes, other);
        }
    }

    /** Small numbers are frequent. */
    private int size() {
        return random.nextInt(1 + random.nextInt(random.nextInt(10) == 0 ? 8_192 : 64));
    }

    private byte[] random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] flipped(byte[] bytes) {
        byte[] result = bytes.clone();
        if (result.length > 0) {
            result[random.nextInt(result.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return result;
    }

    private byte[] part(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size()));
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] inserted) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + inserted.length);
        out.write(bytes, 0, from);
        out.writeBytes(inserted);
        out.write(bytes, to, bytes.length - to);
        return out.toByteArray();
    }

    private static int lineStart(byte[] bytes, int at) {
        int start = at;
        while (start > 0 && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    private static int lineEnd(byte[] bytes, int at) {
        int end = at;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return Math.min(bytes.length, end + 1);
    }

    private byte[] line(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        return Arrays.copyOfRange(bytes, lineStart(bytes, at), lineEnd(bytes, at));
    }

    private byte[] withLine(byte[] bytes, byte[] line) {
        int at = lineStart(bytes, random.nextInt(bytes.length + 1));
        return spliced(bytes, at, at, line);
    }

    private byte[] withoutLine(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        return spliced(bytes, lineStart(bytes, at), lineEnd(bytes, at), new byte[0]);
    }

    /** Where a value after a colon starts and ends, at or after a random place; null if there is none. */
    private int @Nullable [] value(byte[] bytes) {
        for (int at = random.nextInt(bytes.length + 1); at + 1 < bytes.length; at++) {
            if (bytes[at] == ':' && at > 0 && bytes[at - 1] == '"') {
                return new int[] {at + 1, end(bytes, at + 1)};
            }
        }
        return null;
    }

    private static int end(byte[] bytes, int start) {
        int depth = 0;
        boolean quoted = false;
        for (int at = start; at < bytes.length; at++) {
            byte b = bytes[at];
            if (quoted) {
                at += b == '\\' ? 1 : 0;
                quoted = b != '"';
            } else if (depth == 0 && (b == ',' || b == '}' || b == ']' || b == '\n')) {
                return at;
            } else {
                quoted = b == '"';
                depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
            }
        }
        return bytes.length;
    }

    private byte[] withOtherValue(byte[] bytes, byte[] other) {
        int[] place = value(bytes);
        if (place == null) {
            return flipped(bytes);
        }
        int[] source = random.nextInt(3) == 0 ? value(other) : null;
        byte[] with = source == null
                ? utf8(VALUES.get(random.nextInt(VALUES.size())))
                : Arrays.copyOfRange(other, source[0], source[1]);
        return spliced(bytes, place[0], place[1], with);
    }

    /** Renames a key to one of other bytes, or repeats it. */
    private byte[] withOtherKey(byte[] bytes, byte[] other) {
        int[] place = value(bytes);
        int[] source = value(other);
        if (place == null || source == null) {
            return flipped(bytes);
        }
        byte[] key = Arrays.copyOfRange(other, keyStart(other, source[0]), source[0]);
        if (random.nextBoolean()) {
            return spliced(bytes, keyStart(bytes, place[0]), place[0], key);
        }
        byte[] value = Arrays.copyOfRange(other, source[0], source[1]);
        byte[] repeated = spliced(spliced(utf8(","), 1, 1, key), 1 + key.length, 1 + key.length, value);
        return spliced(bytes, place[1], place[1], repeated);
    }

    /** Where the key begins that ends with the colon before this place. */
    private static int keyStart(byte[] bytes, int afterColon) {
        int at = Math.max(0, afterColon - 3);
        while (at > 0 && bytes[at] != '"') {
            at--;
        }
        return at;
    }
}
