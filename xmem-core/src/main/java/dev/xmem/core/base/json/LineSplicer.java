package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.SerializableString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields of a line again, some of them with other values: of those that stay it copies the bytes. For one
 * line.
 */
final class LineSplicer {
    private final LineFields line;
    private final Map<String, Object> changed;
    private final LineBuffer out;
    private final Encoder encoder;

    /** Writes values of any form. */
    @FunctionalInterface
    interface Encoder {
        void encode(@Nullable Object value, LineBuffer out) throws IOException;
    }

    LineSplicer(LineFields line, Map<String, Object> changed, LineBuffer out, Encoder encoder) {
        this.line = line;
        this.changed = changed;
        this.out = out;
        this.encoder = encoder;
    }

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
            for (Map.Entry<String, Object> further : changed.entrySet()) {
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
            int place = line.find(field.name(), next);
            if (place >= 0) {
                found++;
                next = place + 1;
            }
            boolean stays = place >= 0 && !line.isNull(place);
            if (value != null || stays || field.always()) {
                writeSeparator(begin);
                Object written = value == null && !stays ? field.otherwise() : value;
                writeField(field.json(), field.name(), written, stays ? place : -1);
            }
        }
        return found;
    }

    private void writeSeparator(int begin) {
        if (out.length() > begin) {
            out.write(',');
        }
    }

    /**
     * Writes a field, which a schema may name, with a value. If that is null, and the line has the field at a place,
     * its value of the line is written.
     */
    private void writeField(@Nullable SerializableString own, String name, @Nullable Object value, int place)
            throws IOException {
        boolean stays = value == null && place >= 0;
        if (stays && line.isVerbatim(place)) {
            line.writeTo(out, place);
            return;
        }
        if (own == null) {
            write(name);
        } else {
            byte[] quoted = own.asQuotedUTF8();
            out.write('"');
            out.write(quoted, 0, quoted.length);
            out.write('"');
        }
        out.write(':');
        write(stays ? line.value(place) : value);
    }

    private void write(@Nullable Object value) throws IOException {
        if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                out.write(i == 0 ? '[' : ',');
                writeText(items.get(i));
            }
            writeAscii(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof Long || value == null) {
            writeAscii(String.valueOf(value));
        } else {
            writeText(value);
        }
    }

    private void writeText(Object value) throws IOException {
        if (!(value instanceof String text)) {
            encoder.encode(value, out);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int plain = 0;
        while (plain < bytes.length && isPlain(bytes[plain])) {
            plain++;
        }
        if (plain < bytes.length && !hasShortEscapes(text)) {
            encoder.encode(value, out);
            return;
        }
        out.write('"');
        writeEscaped(bytes, plain);
        out.write('"');
    }

    /** Half a surrogate pair becomes a question mark, too. */
    private static boolean isPlain(byte c) {
        return c >= ' ' && c != '"' && c != '\\' && c != '?';
    }

    private void writeAscii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.write(bytes, 0, bytes.length);
    }

    /** Whether a text has no surrogates, and of the control characters only those with an escape of two characters. */
    private static boolean hasShortEscapes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' ? escape((byte) c) == 0 : Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    /** Writes a text whose first bytes need no escapes. */
    private void writeEscaped(byte[] text, int plain) {
        int done = 0;
        for (int i = plain; i < text.length; i++) {
            byte c = text[i];
            char escape = c < ' ' || c == '"' || c == '\\' ? escape(c) : 0;
            if (escape != 0) {
                out.write(text, done, i - done);
                out.write('\\');
                out.write(escape);
                done = i + 1;
            }
        }
        out.write(text, done, text.length - done);
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
