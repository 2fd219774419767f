package dev.xmem.core.base.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line: the fields that have a new value, and those of another line, whose bytes it copies. For one line.
 */
final class LineWriter {
    private final LineFields line;
    private final Map<String, @Nullable Object> changed;
    private final LineBuffer out;

    /**
     * A writer of one line.
     *
     * @param line the other line
     * @param changed the new values; a value of null is only written if the line has no such field
     */
    LineWriter(LineFields line, Map<String, @Nullable Object> changed, LineBuffer out) {
        this.line = line;
        this.changed = changed;
        this.out = out;
    }

    /** Writes it without a newline: the fields of the schema in their order, then the others. */
    void write(Schema schema) {
        try {
            out.write('{');
            int begin = out.length();
            if (writeOwn(schema, begin) < line.size()) {
                for (int i = 0; i < line.size(); i++) {
                    String name = line.name(i);
                    if (!schema.hasField(name) && !line.isNull(i)) {
                        writeSeparator(begin);
                        writeField(null, name, changed.get(name), i);
                    }
                }
            }
            for (Map.Entry<String, @Nullable Object> further : changed.entrySet()) {
                if (!schema.hasField(further.getKey()) && line.get(further.getKey()) == null) {
                    writeSeparator(begin);
                    writeField(null, further.getKey(), further.getValue(), -1);
                }
            }
            out.write('}');
        } catch (IOException e) {
            throw new UncheckedIOException("a line in memory could not be written", e);
        }
    }

    /** Writes the fields that the schema names; returns how many of them the line has. */
    private int writeOwn(Schema schema, int begin) throws IOException {
        int found = 0;
        int next = 0;
        for (Schema.Field field : schema.fields()) {
            Object value = changed.get(field.name());
            int place = line.size() == 0 ? -1 : line.find(field.name(), next);
            if (place >= 0) {
                found++;
                next = place + 1;
            }
            boolean stays = place >= 0 && !line.isNull(place);
            if (value != null || stays || field.always()) {
                writeSeparator(begin);
                Object written = value == null && !stays ? field.otherwise() : value;
                writeField(field.quoted(), field.name(), written, stays ? place : -1);
            }
        }
        return found;
    }

    private void writeSeparator(int begin) {
        if (out.length() > begin) {
            out.write(',');
        }
    }

    /** Writes a field with a value. If that is null, and the line has the field at a place, its value stays. */
    private void writeField(byte @Nullable [] quoted, String name, @Nullable Object value, int place)
            throws IOException {
        boolean stays = value == null && place >= 0;
        if (stays && line.isVerbatim(place)) {
            line.writeTo(out, place);
            return;
        }
        if (quoted == null) {
            writeText(name);
            out.write(':');
        } else {
            writeBytes(quoted);
        }
        write(stays ? line.value(place) : value);
    }

    private void write(@Nullable Object value) throws IOException {
        if (value instanceof String text) {
            writeText(text);
        } else if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                out.write(i == 0 ? '[' : ',');
                writeText((String) items.get(i));
            }
            writeAscii(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof RawJson raw) {
            writeBytes(raw.text().getBytes(StandardCharsets.UTF_8));
        } else if (value == null || value instanceof Number number && Double.isFinite(number.doubleValue())) {
            writeAscii(String.valueOf(value));
        } else {
            JsonText.encode(value, out);
        }
    }

    /** Writes a text. One with half a surrogate pair, or with a rare control character, is left to the generator. */
    private void writeText(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int begin = out.length();
        out.write('"');
        int done = 0;
        boolean mayBeHalf = false;
        for (int i = 0; i < bytes.length; i++) {
            byte c = bytes[i];
            mayBeHalf |= c == '?'; // half a pair becomes a question mark
            if (c >= 0 && c < ' ' || c == '"' || c == '\\') {
                char escape = escape(c);
                if (escape == 0) {
                    out.truncate(begin);
                    JsonText.encode(text, out);
                    return;
                }
                out.write(bytes, done, i - done);
                out.write('\\');
                out.write(escape);
                done = i + 1;
            }
        }
        if (mayBeHalf && hasSurrogate(text)) {
            out.truncate(begin);
            JsonText.encode(text, out);
            return;
        }
        out.write(bytes, done, bytes.length - done);
        out.write('"');
    }

    private static boolean hasSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private void writeAscii(String text) {
        writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void writeBytes(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
    }

    /** The character behind the backslash; 0 if the character has no such escape. */
    private static char escape(byte c) {
        return switch (c) {
            case '"', '\\' -> (char) c;
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            case '\b' -> 'b';
            case '\f' -> 'f';
            default -> 0;
        };
    }
}
