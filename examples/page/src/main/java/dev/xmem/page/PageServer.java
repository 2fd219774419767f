package dev.xmem.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of a store on the loopback interface. See {@code examples/page/README.md}. Bounds the threads, the
 * connections, the rate and size of requests and the time to send one. Thread-safe.
 */
public final class PageServer implements AutoCloseable {
    private static final int MAX_PORT = 65_535;
    private static final int THREADS = 16;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int BUSY = 503;
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    static {
        // Properties of the JDK's server, which it reads once per process. A value that is set is kept.
        bound("sun.net.httpserver.maxReqTime", "10"); // seconds for the whole request
        bound("sun.net.httpserver.maxRspTime", "60");
        bound("sun.net.httpserver.nodelay", "true");
        bound("jdk.httpserver.maxConnections", "128");
    }

    private final Gate gate;
    private final Views views;
    private final Acts acts;
    private final boolean readOnly;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final URI address;

    /**
     * How the page is served. Immutable.
     *
     * @param port the port on the loopback interface; 0 for any free port
     * @param origin the origin, such as {@code https://memory.example.org}, under which a proxy with TLS offers the
     *     page to others; null if none does
     * @param readOnly whether the page refuses to change anything
     */
    public record Options(int port, @Nullable URI origin, boolean readOnly) {
        /** Checks the port, and the origin: {@code https://}, a host, and nothing else. */
        public Options {
            if (port < 0 || port > MAX_PORT) {
                throw new IllegalArgumentException("The port must be from 0 to " + MAX_PORT + ", not " + port);
            }
            boolean wrong = origin != null
                    && (!"https".equals(origin.getScheme())
                            || origin.getHost() == null
                            || origin.getRawUserInfo() != null
                            || origin.getRawQuery() != null
                            || origin.getRawFragment() != null
                            || !origin.getRawPath().isEmpty());
            if (wrong) {
                throw new IllegalArgumentException("The origin must be like https://memory.example.org, not " + origin);
            }
        }
    }

    private PageServer(XMemStore store, Path folder, String token, Options options) throws IOException {
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), PageServer::daemon);
        threads.allowCoreThreadTimeOut(true);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), options.port), 64);
        } catch (BindException e) {
            throw new IOException(
                    "the page cannot have port " + options.port + " of 127.0.0.1: " + e.getMessage()
                            + ". Give it another port, or 0 for any.",
                    e);
        }
        server.setExecutor(threads);
        int port = server.getAddress().getPort();
        URI origin = options.origin;
        address = origin == null ? URI.create("http://127.0.0.1:" + port + '/') : URI.create(origin + "/");
        gate = new Gate(token, port, origin);
        readOnly = options.readOnly;
        views = new Views(store, folder, readOnly, gate.actSecret());
        acts = new Acts(store, folder, views::changed);
    }

    /**
     * Starts to serve a store, which must stay open until the server is closed.
     *
     * @param folder the store's folder
     * @param token the secret that a browser has to enter, of 16 characters or more
     * @throws IOException if the port cannot be used, such as one in use
     * @throws IllegalArgumentException if the token is too short
     */
    public static PageServer start(XMemStore store, Path folder, String token, Options options) throws IOException {
        if (token.length() < 16) {
            throw new IllegalArgumentException("The token must have at least 16 characters");
        }
        PageServer page = new PageServer(store, folder, token, options);
        page.server.createContext("/", page::handle);
        page.server.start();
        return page;
    }

    private static void bound(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "xmem-page");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the address of the page. It asks for the token. */
    public URI uri() {
        return address;
    }

    /** Returns an address that opens the page without the token, once. */
    public URI entry() {
        return address.resolve("enter?code=" + gate.newCode());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
        views.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Gate.harden(exchange.getResponseHeaders());
            try {
                gate.checkAddress(exchange);
                route(exchange, exchange.getRequestURI().getPath());
            } catch (Refusal e) {
                error(exchange, e.status, e.getMessage());
            } catch (XMemException.Busy e) {
                error(exchange, BUSY, e.getMessage());
            } catch (XMemException e) {
                boolean input = e instanceof XMemException.Syntax || e instanceof XMemException.Limit;
                error(exchange, input ? Gate.BAD_REQUEST : CONFLICT, e.getMessage());
            } catch (UncheckedIOException | IllegalArgumentException e) {
                error(exchange, Gate.BAD_REQUEST, e.getMessage());
            }
        }
    }

    private void route(HttpExchange exchange, String path) throws IOException, Refusal {
        boolean isPost = exchange.getRequestMethod().equals("POST");
        if (!isPost && !exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET, POST");
            throw new Refusal(NOT_ALLOWED, "Use GET or POST.");
        }
        if (path.equals("/enter")) {
            enter(exchange, isPost);
        } else if (path.startsWith("/api/")) {
            gate.requireKnown(exchange);
            String name = path.substring("/api/".length());
            if (isPost) {
                act(exchange, name);
            } else {
                send(exchange, OK, "application/json", views.answer(name, parameters(exchange)));
            }
        } else if (isPost) {
            throw new Refusal(NOT_ALLOWED, "Use GET.");
        } else {
            file(exchange, path);
        }
    }

    private void enter(HttpExchange exchange, boolean isPost) throws IOException, Refusal {
        String given = isPost ? Gate.body(exchange) : parameters(exchange).getOrDefault("code", "");
        gate.enter(exchange, !isPost, given);
        if (isPost) {
            exchange.sendResponseHeaders(NO_CONTENT, -1);
        } else {
            // Not a redirect: with one, a browser does not send a strict cookie that another program's file led to.
            file(exchange, "/entered.html");
        }
    }

    private void act(HttpExchange exchange, String name) throws IOException, Refusal {
        gate.requireAct(exchange);
        if (readOnly) {
            throw new Refusal(Gate.FORBIDDEN, "The page is read-only.");
        }
        Map<String, Object> request;
        try {
            request = Json.read(Gate.body(exchange));
        } catch (IOException e) {
            throw new Refusal("The request must be one JSON object.");
        }
        send(exchange, OK, "application/json", acts.answer(name, request));
    }

    /** Static files; the form that asks for the token instead of the page, if there is no cookie. */
    private void file(HttpExchange exchange, String path) throws IOException, Refusal {
        boolean isPage = path.equals("/");
        boolean isKnown = !isPage || gate.isKnown(exchange);
        String name = isPage ? isKnown ? "index.html" : "enter.html" : path.substring(1);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        boolean isName = type != null && name.matches("[a-z]{1,20}\\.[a-z]{2,4}");
        try (InputStream in = isName ? PageServer.class.getResourceAsStream(name) : null) {
            if (in == null || type == null) {
                throw new Refusal(NOT_FOUND, "There is no such file.");
            }
            exchange.getResponseHeaders().set("Cache-Control", "no-cache");
            send(exchange, isKnown ? OK : UNAUTHORIZED, type, in.readAllBytes());
        }
    }

    private static Map<String, String> parameters(HttpExchange exchange) {
        Map<String, String> parameters = new HashMap<>();
        String query = exchange.getRequestURI().getRawQuery();
        for (String each : query == null ? new String[0] : query.split("&", -1)) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                parameters.put(each.substring(0, equals), decoded(each.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void error(HttpExchange exchange, int status, @Nullable String message) throws IOException {
        String text = Json.object(out -> out.writeStringField("error", Json.shown(String.valueOf(message), 2_000)));
        send(exchange, status, "application/json", text);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }
}
