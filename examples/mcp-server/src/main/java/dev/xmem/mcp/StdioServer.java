package dev.xmem.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Serves one client on an input and an output, one message per line. Requests take effect in their order: each starts
 * when the one before it is over, or after ten seconds. The thread that reads never waits for them, nor for the client
 * to read. So it answers a ping, hears a cancellation and sees the end of the input at once.
 */
final class StdioServer {
    private static final int MAX_WAIT_SECONDS = 10;
    /** The most bytes of requests that wait; their objects may take twenty times as much. */
    private static final long MAX_WAITING_BYTES = 16L << 20;
    /** The most bytes of answers that the client has not read. */
    private static final long MAX_UNREAD_BYTES = 64L << 20;
    /** How long the client may read nothing of the last answers. */
    private static final long WRITE_MILLIS = 900;
    /** Added to the bytes of each message for the objects that hold it. */
    private static final int OVERHEAD = 512;

    private final McpEndpoint endpoint;
    private final String session = "mcp-" + UUID.randomUUID();
    private final PendingCalls pending = new PendingCalls();
    private final BlockingQueue<Waiting> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private final AtomicLong requestBytes = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();
    private final CountDownLatch written = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newCachedThreadPool(StdioServer::daemon);

    /** Ends the thread that starts the requests. */
    private static final Waiting END = new Waiting(null, 0);

    private record Waiting(PendingCalls.@Nullable Call call, long bytes) {}

    StdioServer(McpEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "xmem-mcp");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Serves until the input has ended and its requests are answered.
     *
     * @param graceMillis how long after the end of the input no request may end; then the others are answered by an
     *     error
     */
    void serve(InputStream in, OutputStream out, long graceMillis) throws InterruptedException {
        workers.execute(() -> write(out));
        workers.execute(this::runInOrder);
        try {
            read(in);
        } catch (IOException e) {
            // an input that cannot be read has ended
        }
        List<PendingCalls.Call> unanswered = pending.awaitNone(graceMillis);
        for (PendingCalls.Call call : unanswered) {
            answer(
                    call,
                    JsonRpc.error(
                            call.request().id(),
                            JsonRpc.SERVER_ERROR,
                            "This request took too long after the end of the input."));
        }
        requests.add(END);
        answers.add(new byte[0]);
        long unread;
        do {
            unread = answerBytes.get();
        } while (!written.await(WRITE_MILLIS, TimeUnit.MILLISECONDS) && answerBytes.get() < unread);
        workers.shutdown();
    }

    private void read(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        Line line = new Line();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            int begin = 0;
            for (int i = 0; i < n; i++) {
                if (buffer[i] == '\n') {
                    line.add(buffer, begin, i);
                    handle(line);
                    begin = i + 1;
                }
            }
            line.add(buffer, begin, n);
        }
        handle(line);
    }

    /** The bytes of a line; of one that is too long only the first and the last, which have its id. */
    private static final class Line {
        private static final int END_BYTES = 512;

        private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private byte[] first = {};
        private byte[] last = {};
        private boolean tooLong;

        void add(byte[] buffer, int begin, int end) {
            if (!tooLong && bytes.size() + end - begin > JsonRpc.MAX_BYTES) {
                tooLong = true;
                byte[] begun = bytes.toByteArray();
                bytes = new ByteArrayOutputStream();
                first = Arrays.copyOf(begun, Math.min(begun.length, END_BYTES));
                last = end(begun);
            }
            if (tooLong) {
                byte[] both = Arrays.copyOf(last, last.length + end - begin);
                System.arraycopy(buffer, begin, both, last.length, end - begin);
                last = end(both);
            } else {
                bytes.write(buffer, begin, end - begin);
            }
        }

        private static byte[] end(byte[] bytes) {
            return Arrays.copyOfRange(bytes, Math.max(0, bytes.length - END_BYTES), bytes.length);
        }

        boolean isTooLong() {
            return tooLong;
        }

        /** The id that a line that is too long has at one of its ends; null if it has none there. */
        @Nullable Object id() {
            return JsonRpc.idOf(new String(first, StandardCharsets.UTF_8), new String(last, StandardCharsets.UTF_8));
        }

        /** Returns the line and begins the next. */
        byte[] end() {
            byte[] line = bytes.toByteArray();
            bytes = new ByteArrayOutputStream();
            tooLong = false;
            return line;
        }
    }

    private void handle(Line input) {
        if (input.isTooLong()) {
            send(JsonRpc.error(
                    input.id(),
                    JsonRpc.INVALID_REQUEST,
                    "A message must not exceed " + JsonRpc.MAX_BYTES + " bytes. Send the end of the text only."));
        }
        byte[] line = input.end();
        if (!isBlank(line)) {
            JsonRpc.Message message = JsonRpc.parse(line);
            if (message instanceof JsonRpc.Request request) {
                request(request, line.length + OVERHEAD);
            } else if (message instanceof JsonRpc.Notification notification) {
                Object cancelled = notification.cancels();
                if (cancelled != null) {
                    pending.cancel(cancelled);
                }
            } else if (message instanceof JsonRpc.Invalid invalid) {
                send(invalid.answer());
            }
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    private void request(JsonRpc.Request request, long bytes) {
        if (request.isPing()) {
            send(endpoint.answer(request, session, this::notifyClient));
            return;
        }
        if (requestBytes.get() + bytes > MAX_WAITING_BYTES || answerBytes.get() > MAX_UNREAD_BYTES) {
            send(JsonRpc.error(
                    request.id(), JsonRpc.SERVER_ERROR, "Too many requests are waiting. Send this one again later."));
            return;
        }
        PendingCalls.Call call = pending.begin(request);
        if (call == null) {
            send(JsonRpc.error(
                    request.id(), JsonRpc.INVALID_REQUEST, "The id is in use by a request that is not answered yet."));
            return;
        }
        requestBytes.addAndGet(bytes);
        requests.add(new Waiting(call, bytes));
    }

    private void runInOrder() {
        try {
            for (Waiting next = requests.take(); next.call != null; next = requests.take()) {
                PendingCalls.Call call = next.call;
                requestBytes.addAndGet(-next.bytes);
                if (pending.isPending(call)) {
                    workers.execute(() -> run(call));
                    call.awaitOver(MAX_WAIT_SECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(PendingCalls.Call call) {
        answer(call, endpoint.answer(call.request(), session, (method, params) -> {
            if (pending.isPending(call)) {
                notifyClient(method, params);
            }
        }));
    }

    private void answer(PendingCalls.Call call, byte[] answer) {
        pending.end(call, () -> send(answer));
    }

    private void notifyClient(String method, Map<String, Object> params) {
        send(JsonRpc.notification(method, params));
    }

    /** Writes a message soon. Drops it if the client does not read. */
    private void send(byte[] message) {
        long bytes = message.length + (long) OVERHEAD;
        if (answerBytes.addAndGet(bytes) > 2 * MAX_UNREAD_BYTES) {
            answerBytes.addAndGet(-bytes);
        } else {
            answers.add(message);
        }
    }

    /** Writes the messages until an empty one, or until the client cannot be written to. */
    private void write(OutputStream out) {
        try {
            for (byte[] message = answers.take(); message.length > 0; message = answers.take()) {
                out.write(message);
                out.write('\n');
                if (answers.isEmpty()) {
                    out.flush();
                }
                answerBytes.addAndGet(-message.length - OVERHEAD);
            }
            out.flush();
        } catch (IOException e) {
            answerBytes.addAndGet(3 * MAX_UNREAD_BYTES); // whatever follows is dropped
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            written.countDown();
        }
    }
}
