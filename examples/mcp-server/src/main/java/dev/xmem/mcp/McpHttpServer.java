package dev.xmem.mcp;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves MCP as Streamable HTTP on the loopback interface, so that several hosts share one store. A request needs the
 * token as {@code Authorization: Bearer}, a {@code Host} and, if it has one, an {@code Origin} of this machine. Bounds
 * the threads, connections, sessions, the size of a request and the time to send it. Thread-safe.
 *
 * <p>The bounds on connections and times are system properties of the JDK's server, which it reads once per process. A
 * value that is already set is kept.
 */
public final class McpHttpServer implements AutoCloseable {
    static final int MAX_SESSIONS = 256;

    private static final String PATH = "/mcp";
    private static final String SESSION = "Mcp-Session-Id";
    private static final String VERSION = "MCP-Protocol-Version";
    /** As many threads as connections, so that clients that send slowly hold up no others. */
    private static final int CONNECTIONS = 128;

    private static final int CALLS = 32;
    private static final Pattern LOCAL_HOST = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");
    private static final Pattern LOCAL_ORIGIN = Pattern.compile("(?i)https?://" + LOCAL_HOST.pattern());
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int NOT_ACCEPTABLE = 406;
    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED_TYPE = 415;

    static {
        bound("sun.net.httpserver.maxReqTime", "10"); // seconds for the whole request
        bound("sun.net.httpserver.maxRspTime", "60");
        bound("sun.net.httpserver.nodelay", "true"); // otherwise each answer waits 40 ms for an acknowledgement
        bound("jdk.httpserver.maxConnections", String.valueOf(CONNECTIONS));
    }

    private final McpEndpoint endpoint;
    private final byte[] token;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Semaphore calls = new Semaphore(CALLS);
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    /** A client that has initialized. */
    private record Session(String name, PendingCalls pending) {}

    /** A request that is refused. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final int status;
        private final transient byte[] body;

        Refused(int status, String message) {
            this(status, JsonRpc.error(null, JsonRpc.SERVER_ERROR, message));
        }

        Refused(int status, byte[] body) {
            super("", null, false, false);
            this.status = status;
            this.body = body;
        }
    }

    private McpHttpServer(McpEndpoint endpoint, int port, String token) throws IOException {
        this.endpoint = endpoint;
        this.token = token.getBytes(StandardCharsets.UTF_8);
        threads = new ThreadPoolExecutor(
                CONNECTIONS, CONNECTIONS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), McpHttpServer::daemon);
        threads.allowCoreThreadTimeOut(true);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), CONNECTIONS);
        } catch (BindException e) {
            throw new IOException(
                    "MCP over HTTP cannot have port " + port + " of 127.0.0.1: " + e.getMessage()
                            + ". Give it another port, or 0 for any.",
                    e);
        }
        server.setExecutor(threads);
    }

    /**
     * Starts serving a store.
     *
     * @param port the port on the loopback interface; 0 for any free port
     * @param token the secret that each request must carry
     * @throws IOException if the port is in use
     * @throws IllegalArgumentException if the token has less than 16 characters
     */
    public static McpHttpServer start(XMemStore store, int port, String token) throws IOException {
        return start(McpEndpoint.of(store), port, token);
    }

    static McpHttpServer start(McpEndpoint endpoint, int port, String token) throws IOException {
        if (token.length() < 16) {
            throw new IllegalArgumentException("The token must have at least 16 characters");
        }
        McpHttpServer http = new McpHttpServer(endpoint, port, token);
        http.server.createContext("/", http::handle);
        http.server.start();
        return http;
    }

    private static void bound(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "xmem-mcp-http");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns the address for the settings of a host. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + port() + PATH);
    }

    /** Stops the server without waiting for requests. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                check(exchange);
                switch (exchange.getRequestMethod()) {
                    case "POST" -> post(exchange);
                    case "DELETE" -> delete(exchange);
                    default -> {
                        exchange.getResponseHeaders().set("Allow", "POST, DELETE");
                        throw new Refused(METHOD_NOT_ALLOWED, "Use POST or DELETE; there are no server messages.");
                    }
                }
            } catch (Refused e) {
                send(exchange, e.status, e.body);
            }
        }
    }

    private void check(HttpExchange exchange) throws Refused {
        Headers headers = exchange.getRequestHeaders();
        String host = headers.getFirst("Host");
        String origin = headers.getFirst("Origin");
        if (host == null || !LOCAL_HOST.matcher(host).matches()) {
            throw new Refused(FORBIDDEN, "The Host must be localhost or 127.0.0.1.");
        }
        if (origin != null && !LOCAL_ORIGIN.matcher(origin).matches()) {
            throw new Refused(FORBIDDEN, "The Origin must be of this machine.");
        }
        String given = headers.getFirst("Authorization");
        String bearer = "Bearer ";
        if (given == null
                || !given.regionMatches(true, 0, bearer, 0, bearer.length())
                || !MessageDigest.isEqual(
                        token, given.substring(bearer.length()).strip().getBytes(StandardCharsets.UTF_8))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            throw new Refused(UNAUTHORIZED, "The header Authorization must be: Bearer, and the token.");
        }
        if (!exchange.getRequestURI().getPath().equals(PATH)) {
            throw new Refused(NOT_FOUND, "The path is " + PATH + ".");
        }
        String version = headers.getFirst(VERSION);
        if (version != null && !McpEndpoint.VERSIONS.contains(version)) {
            throw new Refused(
                    BAD_REQUEST,
                    "The protocol version must be one of " + String.join(", ", McpEndpoint.VERSIONS) + ".");
        }
    }

    private void delete(HttpExchange exchange) throws IOException, Refused {
        session(exchange);
        synchronized (sessions) {
            sessions.remove(exchange.getRequestHeaders().getFirst(SESSION));
        }
        send(exchange, OK, new byte[0]);
    }

    private Session session(HttpExchange exchange) throws Refused {
        String id = exchange.getRequestHeaders().getFirst(SESSION);
        if (id == null) {
            throw new Refused(BAD_REQUEST, "The header " + SESSION + " is missing. Send initialize first.");
        }
        Session session;
        synchronized (sessions) {
            session = sessions.get(id);
        }
        if (session == null) {
            throw new Refused(NOT_FOUND, "There is no such session. Send initialize to begin a new one.");
        }
        return session;
    }

    /** Begins a session; the one that was used least recently ends if there are too many. */
    private Session begin(HttpExchange exchange) {
        String id = UUID.randomUUID().toString();
        Session session = new Session("mcp-" + UUID.randomUUID(), new PendingCalls());
        synchronized (sessions) {
            sessions.put(id, session);
            if (sessions.size() > MAX_SESSIONS) {
                sessions.remove(sessions.keySet().iterator().next());
            }
        }
        exchange.getResponseHeaders().set(SESSION, id);
        return session;
    }

    private void post(HttpExchange exchange) throws IOException, Refused {
        Headers headers = exchange.getRequestHeaders();
        if (!lower(headers.getFirst("Content-Type")).startsWith("application/json")) {
            throw new Refused(UNSUPPORTED_TYPE, "The Content-Type must be application/json.");
        }
        String accept = lower(String.join(",", headers.getOrDefault("Accept", List.of("*/*"))));
        boolean streams = accept.contains("text/event-stream");
        if (!streams && !accept.contains("json") && !accept.contains("*/*")) {
            throw new Refused(NOT_ACCEPTABLE, "Accept application/json and text/event-stream.");
        }
        JsonRpc.Message message = JsonRpc.parse(body(exchange));
        if (message instanceof JsonRpc.Invalid invalid) {
            throw new Refused(BAD_REQUEST, invalid.answer());
        }
        if (message instanceof JsonRpc.Request request) {
            request(exchange, request, streams);
            return;
        }
        Session session = session(exchange);
        if (message instanceof JsonRpc.Notification notification) {
            Object cancelled = notification.cancels();
            if (cancelled != null) {
                session.pending.cancel(cancelled);
            }
        }
        send(exchange, ACCEPTED, new byte[0]);
    }

    private static byte[] body(HttpExchange exchange) throws IOException, Refused {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(JsonRpc.MAX_BYTES + 1);
            if (body.length > JsonRpc.MAX_BYTES) {
                exchange.getResponseHeaders().set("Connection", "close");
                throw new Refused(TOO_LARGE, "A message must not exceed " + JsonRpc.MAX_BYTES + " bytes.");
            }
            return body;
        }
    }

    private void request(HttpExchange exchange, JsonRpc.Request request, boolean streams) throws IOException, Refused {
        if (request.isPing()) { // needs no session
            send(exchange, OK, endpoint.answer(request, "", (method, params) -> {}));
            return;
        }
        Session session = request.method().equals("initialize") ? begin(exchange) : session(exchange);
        PendingCalls.Call call = session.pending.begin(request);
        if (call == null) {
            String message = "The id is in use by a request that is not answered yet.";
            throw new Refused(BAD_REQUEST, JsonRpc.error(request.id(), JsonRpc.INVALID_REQUEST, message));
        }
        Reply reply = new Reply(exchange, streams, session.pending, call);
        byte[] answer;
        calls.acquireUninterruptibly();
        try {
            answer = endpoint.answer(request, session.name, reply);
        } finally {
            calls.release();
        }
        boolean[] pending = new boolean[1];
        session.pending.end(call, () -> pending[0] = true);
        reply.end(pending[0] ? answer : null);
    }

    /** The reply to one request: JSON, or events if there are notifications before the answer. */
    private static final class Reply implements McpEndpoint.Client {
        private final HttpExchange exchange;
        private final boolean streams;
        private final PendingCalls pending;
        private final PendingCalls.Call call;
        private boolean begun;
        private boolean broken;

        Reply(HttpExchange exchange, boolean streams, PendingCalls pending, PendingCalls.Call call) {
            this.exchange = exchange;
            this.streams = streams;
            this.pending = pending;
            this.call = call;
        }

        @Override
        public void notify(String method, Map<String, Object> params) {
            if (streams && !broken && pending.isPending(call)) {
                try {
                    event(JsonRpc.notification(method, params));
                } catch (IOException e) {
                    broken = true;
                }
            }
        }

        private void event(byte[] message) throws IOException {
            if (!begun) {
                begun = true;
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.getResponseHeaders().set("Cache-Control", "no-store");
                exchange.sendResponseHeaders(OK, 0);
            }
            exchange.getResponseBody().write("event: message\ndata: ".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().write(message);
            exchange.getResponseBody().write("\n\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }

        /** Sends the answer; null if the request was cancelled. */
        void end(byte @Nullable [] answer) throws IOException {
            if (begun && answer != null && !broken) {
                event(answer);
            } else if (!begun) {
                send(exchange, answer == null ? ACCEPTED : OK, answer == null ? new byte[0] : answer);
            }
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        if (body.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
        }
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static String lower(@Nullable String header) {
        return header == null ? "" : header.toLowerCase(Locale.ROOT);
    }
}
