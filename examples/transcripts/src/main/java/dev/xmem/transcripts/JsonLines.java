package dev.xmem.transcripts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file, each parsed on its own while it is read: a line is never in memory as a whole, and one that is
 * malformed does not affect the next.
 */
final class JsonLines implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final ReadCounts counts;
    private final long most;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final Line line = new Line();
    private int position;
    private int limit;
    private boolean ended;

    JsonLines(InputStream in, ReadCounts counts) {
        this(in, counts, Long.MAX_VALUE);
    }

    /** Reads at most {@code most} lines, whatever their length. */
    JsonLines(InputStream in, ReadCounts counts, long most) {
        this.in = in;
        this.counts = counts;
        this.most = most;
    }

    /** Reads the next line that is a JSON object, and counts those that are not; null at the end. */
    @Nullable Map<String, Object> next(Set<String> skipped) throws IOException {
        while (counts.lines < most && hasMore()) {
            line.ended = false;
            line.failure = null;
            Map<String, Object> object = parse(skipped);
            boolean whole = line.skip();
            if (object != null) {
                counts.lines++;
                return object;
            }
            if (line.blank) {
                continue;
            }
            counts.lines++;
            counts.malformed += whole ? 1 : 0;
            counts.torn += whole ? 0 : 1;
        }
        return null;
    }

    private @Nullable Map<String, Object> parse(Set<String> skipped) throws IOException {
        line.blank = false;
        try (JsonParser parser = JsonTree.FACTORY.createParser((InputStream) line)) {
            JsonToken first = parser.nextToken();
            line.blank = first == null;
            if (first != JsonToken.START_OBJECT) {
                return null;
            }
            Map<String, Object> object = JsonTree.asObject(JsonTree.read(parser, skipped));
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null ? object : null;
        } catch (JsonProcessingException | CharConversionException e) {
            if (line.failure != null) {
                throw line.failure;
            }
            return null;
        }
    }

    private boolean hasMore() throws IOException {
        if (position == limit && !ended) {
            position = 0;
            limit = Math.max(0, in.read(buffer));
            ended = limit == 0;
            counts.bytes += limit;
        }
        return !ended;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** The bytes up to the next line end. */
    private final class Line extends InputStream {
        private boolean ended;
        private boolean blank;
        private @Nullable IOException failure;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (ended || length == 0 || !more()) {
                return ended || length != 0 ? -1 : 0;
            }
            int most = Math.min(limit, position + length);
            int end = position;
            while (end < most && buffer[end] != '\n') {
                end++;
            }
            int count = end - position;
            System.arraycopy(buffer, position, target, offset, count);
            position = end;
            if (end < most) {
                position++;
                ended = true;
            }
            return count == 0 ? -1 : count;
        }

        private boolean more() throws IOException {
            try {
                return hasMore();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** Skips the rest; returns whether the line has an end. */
        boolean skip() throws IOException {
            while (!ended && hasMore()) {
                while (position < limit && !ended) {
                    ended = buffer[position++] == '\n';
                }
            }
            return ended;
        }
    }
}
