package dev.xmem.hooks;

import dev.xmem.XMemStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Answers events on a port of the loopback interface. One connection carries one event:
 *
 * <pre>
 * client: xmem 1 CLIENT-SECRET
 * server: SERVER-SECRET
 * client: event ARGUMENTS LENGTH, a line for each argument, then the event
 * server: . before each read, + after each 32 KiB but the last, then ready
 * client: go
 * server: . every 50 ms, then answer CODE OUT-LENGTH ERR-LENGTH, and both texts
 * </pre>
 *
 * <p>Until {@code go}, the server does nothing, so a client that gives up can handle the event itself. The answer is
 * sent when all that the event leads to is written, or after two seconds in which another process kept the store
 * locked; {@link PendingEvents} keep such an event from getting lost.
 * Connections, events in memory, and threads are bounded; what is too much is closed. Thread-safe. Decision:
 * docs/adr/0046-resident.md.
 */
final class ResidentServer implements AutoCloseable {
    static final int MAX_EVENT_BYTES = 1 << 20;

    private static final int CHUNK_BYTES = 32 << 10;
    private static final int MAX_BYTES = 8 << 20;
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_ARGUMENTS = 32;
    private static final int MAX_LINE = 4096;
    private static final int WORKERS = 8;
    private static final int BACKLOG = 1024;
    private static final int READ_MILLIS = 1000;
    private static final long END_MILLIS = 5000;
    private static final int BEAT_MILLIS = 50;
    private static final int STACK_BYTES = 256 << 10;

    private final XMemStore store;
    private final Path folder;
    private final BooleanSupplier isValid;
    private final String clientSecret;
    private final String serverSecret;
    private final ServerSocket socket;
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS, work -> thread(work, 0));
    private final ThreadPoolExecutor connections = new ThreadPoolExecutor(
            1, MAX_CONNECTIONS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> thread(work, STACK_BYTES));
    /** Waits for a lock that another process holds after the answer; one wait is enough for all events. */
    private final ThreadPoolExecutor later = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            work -> thread(work, 0),
            new ThreadPoolExecutor.DiscardPolicy());

    private final PendingEvents pending;
    private final Semaphore memory = new Semaphore(MAX_BYTES);
    private volatile long lastNanos = System.nanoTime();

    /** @param isValid whether the store's folder and the program are those that this server was started for */
    ResidentServer(XMemStore store, Path folder, String clientSecret, String serverSecret, BooleanSupplier isValid)
            throws IOException {
        this.store = store;
        this.folder = folder;
        this.pending = new PendingEvents(store, folder);
        this.isValid = isValid;
        this.clientSecret = clientSecret;
        this.serverSecret = serverSecret;
        this.socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private Thread thread(Runnable work, long stack) {
        Thread thread = new Thread(null, work, "xmem-hooks-" + threads.incrementAndGet(), stack);
        thread.setDaemon(true);
        return thread;
    }

    int port() {
        return socket.getLocalPort();
    }

    void start() {
        thread(this::accept, STACK_BYTES).start();
    }

    /** How long no event came. */
    long idleNanos() {
        return System.nanoTime() - lastNanos;
    }

    /** Accepts no more connections, and lets the events end that have begun. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It accepts nothing any more.
        }
        connections.shutdown();
        boolean interrupted = false;
        try {
            connections.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        connections.shutdownNow();
        workers.shutdownNow();
        try {
            pending.close();
        } catch (IOException e) {
            // The process has ended.
        }
        later.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                try {
                    connections.execute(() -> serve(client));
                } catch (RejectedExecutionException e) {
                    client.close();
                }
            } catch (IOException e) {
                pause();
            }
        }
    }

    /** Waits after an error, such as too many open files. */
    private static void pause() {
        try {
            Thread.sleep(BEAT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket socket) {
        try (Socket client = socket) {
            client.setTcpNoDelay(true);
            Input in = new Input(client);
            OutputStream out = client.getOutputStream();
            if (!isEqual(in.line(), "xmem 1 " + clientSecret)) {
                return;
            }
            send(out, serverSecret + '\n');
            String[] head = in.line().split(" ", -1);
            if (head.length != 3 || !head[0].equals("event")) {
                return;
            }
            int arguments = number(head[1], MAX_ARGUMENTS);
            int length = number(head[2], MAX_EVENT_BYTES);
            List<String> given = new ArrayList<>();
            for (int i = 0; i < arguments; i++) {
                given.add(in.line());
            }
            if (memory.tryAcquire(length)) {
                try {
                    answer(in.bytes(length, out), given, in, out);
                } finally {
                    memory.release(length);
                }
            }
        } catch (IOException e) {
            // The client has gone, or is none.
        }
    }

    private void answer(byte[] event, List<String> arguments, Input in, OutputStream out) throws IOException {
        if (!isValid.getAsBoolean()) {
            return;
        }
        send(out, "ready\n");
        if (!in.line().equals("go")) {
            return;
        }
        long begin = System.nanoTime();
        lastNanos = begin;
        HookResult answer = await(workers.submit(() -> handle(event, arguments)), out);
        String head = "answer " + answer.exitCode() + ' ' + bytes(answer.out()) + ' ' + bytes(answer.err()) + '\n';
        lastNanos = System.nanoTime();
        try {
            send(out, head + answer.out() + answer.err());
        } finally {
            HookTrace.write(folder, answer.trace(), TimeUnit.NANOSECONDS.toMillis(lastNanos - begin), "resident");
        }
        HookService.readTranscript(store, folder, event, arguments);
    }

    private HookResult handle(byte[] event, List<String> arguments) {
        Instant begin = Instant.now();
        HookResult answer = HookService.answer(store, event, arguments);
        boolean written = store.guard().flush(HookService.LOCK_LIMIT);
        if (!written) {
            pending.add(event, arguments, begin);
            later.execute(pending::await);
        }
        return answer.flushed(written);
    }

    /** Waits for an answer, and shows the client that this process runs. */
    private static HookResult await(Future<HookResult> answer, OutputStream out) throws IOException {
        while (true) {
            try {
                return answer.get(BEAT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                send(out, ".\n");
            } catch (ExecutionException e) {
                return HookResult.silent("internal error: " + e.getCause());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isEqual(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    private static int number(String text, int max) throws IOException {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IOException("is not a number from 0 to " + max);
    }

    /** Reads lines and bytes of a client; each must be complete within a second. */
    private static final class Input {
        private final Socket socket;
        private final InputStream in;
        private final byte[] buffer = new byte[MAX_LINE];
        private int begin;
        private int end;

        Input(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        String line() throws IOException {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_MILLIS);
            int next = begin;
            while (true) {
                while (next < end) {
                    if (buffer[next++] == '\n') {
                        String line = new String(buffer, begin, next - begin - 1, StandardCharsets.UTF_8);
                        begin = next;
                        return line;
                    }
                }
                if (begin > 0) {
                    System.arraycopy(buffer, begin, buffer, 0, end - begin);
                    end -= begin;
                    next -= begin;
                    begin = 0;
                }
                if (end == buffer.length) {
                    throw new IOException("the line is too long");
                }
                end += read(buffer, end, buffer.length - end, until);
            }
        }

        /**
         * Reads an event, and acknowledges each part of it but the last. Sends a point before each read: the client
         * sends its text in small packets, and its system holds each back until something confirms the one before.
         */
        byte[] bytes(int length, OutputStream out) throws IOException {
            byte[] bytes = new byte[length];
            int done = 0;
            while (done < length) {
                int part = Math.min(length, done + CHUNK_BYTES);
                long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_MILLIS);
                while (done < part) {
                    if (begin < end) {
                        int count = Math.min(part - done, end - begin);
                        System.arraycopy(buffer, begin, bytes, done, count);
                        begin += count;
                        done += count;
                    } else {
                        send(out, ".");
                        done += read(bytes, done, part - done, until);
                    }
                }
                if (done < length) {
                    send(out, "+\n");
                }
            }
            return bytes;
        }

        private int read(byte[] into, int offset, int length, long until) throws IOException {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) left);
            int count = in.read(into, offset, length);
            if (count < 0) {
                throw new EOFException();
            }
            return count;
        }
    }
}
