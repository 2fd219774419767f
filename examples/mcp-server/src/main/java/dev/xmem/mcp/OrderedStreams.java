package dev.xmem.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The input and output of a server, one message per line. After a request, the rest of the input (including its end) is
 * held back until the response is written. So requests that a host sends at once take effect in their order, and {@code
 * printf … | java -jar xmem-mcp.jar} answers before it ends. Thread-safe.
 */
final class OrderedStreams {
    private static final long MAX_WAIT_SECONDS = 10;
    private static final JsonFactory JSON = new JsonFactory();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final InputStream in;
    private final OutputStream out;
    private int open;

    OrderedStreams(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Waits until the input has ended and all requests are answered. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    InputStream input() {
        return new Input();
    }

    OutputStream output() {
        return new Output();
    }

    private void addOpen(int requests) {
        lock.lock();
        try {
            open = Math.max(0, open + requests);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitResponses() {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
            while (open > 0 && nanos > 0) {
                nanos = answered.awaitNanos(nanos);
            }
            open = 0; // a response that is this late does not delay later requests
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the message is a request (an id and a method) or, if {@code request} is false, a response (an id only).
     */
    private static boolean isMessage(byte[] line, boolean request) {
        boolean id = false;
        boolean method = false;
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                id |= name.equals("id");
                method |= name.equals("method");
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (IOException e) {
            return false; // not a message, so no response follows
        }
        return id && method == request;
    }

    /** Collects the bytes of one line. */
    private static final class Line {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        /**
         * Adds a byte.
         *
         * @return the line if the byte ends it, otherwise null
         */
        byte @Nullable [] with(int b) {
            if (b != '\n') {
                bytes.write(b);
                return null;
            }
            byte[] line = bytes.toByteArray();
            bytes.reset();
            return line;
        }
    }

    private final class Input extends FilterInputStream {
        private final Line line = new Line();

        Input() {
            super(new BufferedInputStream(OrderedStreams.this.in));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        /** Always 0: a buffering reader must not read ahead before it has passed on the current line. */
        @Override
        public int available() {
            return 0;
        }

        /** Reads at most up to the end of a line. */
        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            awaitResponses();
            int n = 0;
            while (n < length) {
                int b = in.read();
                if (b < 0) {
                    break;
                }
                into[offset + n++] = (byte) b;
                byte[] whole = line.with(b);
                if (whole != null) {
                    addOpen(isMessage(whole, true) ? 1 : 0);
                    break;
                }
            }
            if (n == 0 && length > 0) {
                ended.countDown();
                return -1;
            }
            return n;
        }
    }

    private final class Output extends FilterOutputStream {
        private final Line line = new Line();

        Output() {
            super(OrderedStreams.this.out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            for (int i = 0; i < length; i++) {
                byte[] whole = line.with(bytes[offset + i]);
                if (whole != null && isMessage(whole, false)) {
                    out.flush();
                    addOpen(-1);
                }
            }
        }
    }
}
