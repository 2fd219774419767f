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
 * The two streams of a server, one message a line. Keeps back what follows a request, and the end of the input too, until the
 * request has its answer: so calls that a host sends at once take effect in their order, and {@code printf … | java -jar
 * xmem-mcp.jar} answers before it ends. Thread-safe.
 */
final class Conversation {
    private static final long LONGEST_SECONDS = 10;
    private static final JsonFactory JSON = new JsonFactory();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final InputStream in;
    private final OutputStream out;
    private int open;

    Conversation(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Waits until the input has ended and all is answered. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    InputStream input() {
        return new Input();
    }

    OutputStream output() {
        return new Output();
    }

    private void count(int requests) {
        lock.lock();
        try {
            open = Math.max(0, open + requests);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitAnswers() {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
            while (open > 0 && nanos > 0) {
                nanos = answered.awaitNanos(nanos);
            }
            open = 0; // an answer that takes so long holds nothing up any more
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a line has, at its top, an id and a method ({@code request}), or an id and none: an answer. */
    private static boolean is(byte[] line, boolean request) {
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
            return false; // no message: nobody answers it
        }
        return id && method == request;
    }

    /** Collects the bytes of a line. */
    private static final class Line {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        /** The line that this byte ends; null while it goes on. */
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
            super(new BufferedInputStream(Conversation.this.in));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        /** Nothing: a reader must not ask for more before it has handed over the line it has. */
        @Override
        public int available() {
            return 0;
        }

        /** At most up to the end of a line. */
        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            awaitAnswers();
            int n = 0;
            while (n < length) {
                int b = in.read();
                if (b < 0) {
                    break;
                }
                into[offset + n++] = (byte) b;
                byte[] whole = line.with(b);
                if (whole != null) {
                    count(is(whole, true) ? 1 : 0);
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
            super(Conversation.this.out);
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
                if (whole != null && is(whole, false)) {
                    out.flush();
                    count(-1);
                }
            }
        }
    }
}
