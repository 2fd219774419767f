package dev.xmem.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes an entry with the generator of Jackson into a reused buffer. The bytes are those that xmem writes. */
final class LineWriter {
    private final JsonFactory factory = new JsonFactory();
    private final Buffer buffer = new Buffer();

    /** Encodes one line, including the newline. */
    void write(CorpusEntry entry, String id, String ts) {
        buffer.length = 0;
        try (JsonGenerator out = factory.createGenerator(buffer)) {
            out.writeStartObject();
            out.writeStringField("id", id);
            out.writeStringField("ts", ts);
            for (Map.Entry<String, @Nullable Object> field : entry.fields().entrySet()) {
                out.writeFieldName(field.getKey());
                write(field.getValue(), out);
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer.write('\n');
    }

    private static void write(@Nullable Object value, JsonGenerator out) throws IOException {
        if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof List<?> items) {
            out.writeStartArray();
            for (Object item : items) {
                out.writeString((String) item);
            }
            out.writeEndArray();
        } else if (value instanceof Integer number) {
            out.writeNumber(number);
        } else if (value instanceof Double number) {
            out.writeNumber(number);
        } else if (value instanceof Map<?, ?>) {
            out.writeStartObject();
            out.writeEndObject();
        } else {
            out.writeNull();
        }
    }

    byte[] bytes() {
        return buffer.bytes;
    }

    int length() {
        return buffer.length;
    }

    private static final class Buffer extends OutputStream {
        private byte[] bytes = new byte[4096];
        private int length;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) {
            if (length + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * (length + count));
            }
            System.arraycopy(from, offset, bytes, length, count);
            length += count;
        }
    }
}
