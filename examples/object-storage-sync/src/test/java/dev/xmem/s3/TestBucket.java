package dev.xmem.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A bucket on the loopback interface: PUT with conditions, GET with a range, DELETE, and listings in pages. It computes
 * each signature by itself, from the request as it arrived, and can fail in the ways of a network.
 */
final class TestBucket implements AutoCloseable {
    static final String NAME = "memory";
    static final String ACCESS = "AKIATEST";
    static final String SECRET = "a/secret+of/the=test";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** What happens to a request. */
    enum Fault {
        NONE,
        DROPPED_BEFORE,
        DROPPED_AFTER,
        SLOW_DOWN,
        INTERNAL,
        DENIED,
        HANGS
    }

    record Stored(byte[] bytes, String tag, Instant modified) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-bucket");
        thread.setDaemon(true);
        return thread;
    });
    final Map<String, Stored> objects = new ConcurrentSkipListMap<>();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger faults = new AtomicInteger();
    volatile BiFunction<String, String, Fault> fault = (method, key) -> Fault.NONE;
    /** Runs before a request is handled. */
    volatile BiFunction<String, String, @Nullable Void> before = (method, key) -> null;

    volatile int pageSize = 1000;
    volatile boolean honorsConditions = true;
    volatile boolean sendsTags = true;
    volatile boolean keepsVersions;
    volatile boolean honorsRange = true;
    volatile Instant modified = Instant.EPOCH;
    volatile @Nullable String token;
    volatile byte @Nullable [] answer;
    volatile int answerStatus = 200;
    volatile Map<String, String> answerHeaders = Map.of();

    TestBucket() {
        this(null);
    }

    TestBucket(@Nullable SSLContext tls) {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            if (tls == null) {
                server = HttpServer.create(address, 0);
            } else {
                HttpsServer https = HttpsServer.create(address, 0);
                https.setHttpsConfigurator(new HttpsConfigurator(tls));
                server = https;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port());
    }

    S3SyncBackend.Builder builder() {
        return new S3SyncBackend.Builder(NAME, Map.of())
                .endpoint(endpoint())
                .credentials(S3Credentials.of(ACCESS, SECRET, null));
    }

    S3SyncBackend backend() {
        return builder().build();
    }

    Map<String, byte[]> objects() {
        Map<String, byte[]> all = new TreeMap<>();
        objects.forEach((key, object) -> all.put(key, object.bytes));
        return all;
    }

    /** Everything that can be read in the bucket. */
    String everything() {
        return objects.values().stream()
                .map(object -> new String(object.bytes, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    void store(String key, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        objects.put(key, new Stored(bytes, tag(bytes), modified));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            requests.incrementAndGet();
            URI uri = exchange.getRequestURI();
            String path = uri.getRawPath();
            String host = exchange.getRequestHeaders().getFirst("Host");
            String root = host.startsWith(NAME + ".") ? "/" : "/" + NAME + "/";
            String method = exchange.getRequestMethod();
            if (!path.startsWith(root)) {
                error(exchange, 404, "NoSuchBucket");
                return;
            }
            String key = URLDecoder.decode(path.substring(root.length()), StandardCharsets.UTF_8);
            before.apply(method, key);
            Fault now = fault.apply(method, key);
            faults.addAndGet(now == Fault.NONE ? 0 : 1);
            switch (now) {
                case DROPPED_BEFORE -> {
                    return;
                }
                case SLOW_DOWN -> {
                    error(exchange, 503, "SlowDown");
                    return;
                }
                case INTERNAL -> {
                    error(exchange, 500, "InternalError");
                    return;
                }
                case DENIED -> {
                    error(exchange, 403, "AccessDenied");
                    return;
                }
                case HANGS -> {
                    Thread.sleep(60_000);
                    return;
                }
                default -> {}
            }
            byte[] fixed = answer;
            String refusal = refusal(exchange, body);
            if (!refusal.isEmpty()) {
                error(exchange, 403, refusal);
            } else if (fixed != null) {
                answerHeaders.forEach(exchange.getResponseHeaders()::set);
                answer(exchange, answerStatus, fixed, now);
            } else {
                handle(exchange, method, key, body, now);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(HttpExchange exchange, String method, String key, byte[] body, Fault fault) throws IOException {
        Map<String, String> query = query(exchange.getRequestURI());
        if (method.equals("GET") && key.isEmpty()) {
            answer(exchange, 200, listing(query), fault);
            return;
        }
        String match = exchange.getRequestHeaders().getFirst("If-Match");
        String none = exchange.getRequestHeaders().getFirst("If-None-Match");
        synchronized (this) {
            Stored there = objects.get(key);
            switch (method) {
                case "PUT" -> {
                    boolean missing = match != null && there == null;
                    boolean other = match != null && there != null && !there.tag.equals(match);
                    if (honorsConditions && (missing || other || none != null && there != null)) {
                        error(exchange, missing ? 404 : 412, missing ? "NoSuchKey" : "PreconditionFailed");
                        return;
                    }
                    Stored stored = new Stored(body, tag(body), Instant.now());
                    objects.put(key, stored);
                    tag(exchange, stored);
                    if (keepsVersions) {
                        exchange.getResponseHeaders().set("x-amz-version-id", "3HL4kqtJlcpXroDTDmJ");
                    }
                    answer(exchange, 200, new byte[0], fault);
                }
                case "GET" -> {
                    if (there == null) {
                        error(exchange, 404, "NoSuchKey");
                        return;
                    }
                    tag(exchange, there);
                    String range = exchange.getRequestHeaders().getFirst("Range");
                    if (range != null && honorsRange) {
                        String[] ends = range.substring("bytes=".length()).split("-", -1);
                        int from = Integer.parseInt(ends[0]);
                        if (from >= there.bytes.length) {
                            error(exchange, 416, "InvalidRange");
                            return;
                        }
                        int to = Math.min(there.bytes.length, Integer.parseInt(ends[1]) + 1);
                        answer(exchange, 206, Arrays.copyOfRange(there.bytes, from, to), fault);
                    } else {
                        answer(exchange, 200, there.bytes, fault);
                    }
                }
                case "DELETE" -> {
                    objects.remove(key);
                    answer(exchange, 204, new byte[0], fault);
                }
                default -> error(exchange, 405, "MethodNotAllowed");
            }
        }
    }

    private void tag(HttpExchange exchange, Stored object) {
        if (sendsTags) {
            exchange.getResponseHeaders().set("ETag", object.tag);
        }
    }

    private byte[] listing(Map<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        String after = query.getOrDefault("continuation-token", "");
        List<String> keys = new ArrayList<>(objects.keySet());
        keys.removeIf(key -> !key.startsWith(prefix) || key.compareTo(after) <= 0);
        boolean truncated = keys.size() > pageSize;
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult"
                + " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>" + truncated + "</IsTruncated>");
        List<String> page = truncated ? keys.subList(0, pageSize) : keys;
        for (String key : page) {
            Stored object = objects.get(key);
            if (object != null) {
                xml.append("<Contents><Key>")
                        .append(URLEncoder.encode(key, StandardCharsets.UTF_8).replace("%2F", "/"))
                        .append("</Key><LastModified>")
                        .append(object.modified)
                        .append("</LastModified><ETag>")
                        .append(object.tag.replace("\"", "&quot;"))
                        .append("</ETag><Size>1</Size></Contents>");
            }
        }
        if (truncated) {
            xml.append("<NextContinuationToken>").append(page.get(pageSize - 1)).append("</NextContinuationToken>");
        }
        return xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new TreeMap<>();
        if (uri.getRawQuery() != null) {
            for (String part : uri.getRawQuery().split("&", -1)) {
                String[] pair = part.split("=", 2);
                query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    /** The code of what is wrong with the signature; empty if nothing is. */
    private String refusal(HttpExchange exchange, byte[] body) {
        Map<String, String> fields = new TreeMap<>();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization == null || !authorization.startsWith("AWS4-HMAC-SHA256 ")) {
            return "AccessDenied";
        }
        for (String field :
                authorization.substring("AWS4-HMAC-SHA256 ".length()).split(", ")) {
            fields.put(field.substring(0, field.indexOf('=')), field.substring(field.indexOf('=') + 1));
        }
        String[] scope = String.valueOf(fields.get("Credential")).split("/", -1);
        String time = String.valueOf(exchange.getRequestHeaders().getFirst("x-amz-date"));
        Instant then = TIME.parse(time, Instant::from);
        if (!scope[0].equals(ACCESS)) {
            return "InvalidAccessKeyId";
        }
        if (Duration.between(then, Instant.now()).abs().toMinutes() >= 15) {
            return "RequestTimeTooSkewed";
        }
        String wanted = token;
        if (wanted != null && !wanted.equals(exchange.getRequestHeaders().getFirst("x-amz-security-token"))) {
            return "ExpiredToken";
        }
        String signed = String.valueOf(fields.get("SignedHeaders"));
        if (exchange.getRequestHeaders().keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(name -> (name.startsWith("x-amz-") || name.equals("host") || name.startsWith("if-"))
                        && !List.of(signed.split(";")).contains(name))) {
            return "AccessDenied";
        }
        URI uri = exchange.getRequestURI();
        StringBuilder canonical = new StringBuilder(exchange.getRequestMethod() + "\n" + uri.getRawPath() + "\n");
        String query = uri.getRawQuery();
        canonical
                .append(
                        query == null
                                ? ""
                                : Arrays.stream(query.split("&")).sorted().collect(Collectors.joining("&")))
                .append('\n');
        for (String name : signed.split(";")) {
            canonical
                    .append(name)
                    .append(':')
                    .append(exchange.getRequestHeaders().getFirst(name))
                    .append('\n');
        }
        String hash = hex(digest("SHA-256", body));
        canonical.append('\n').append(signed).append('\n').append(hash);
        if (!hash.equals(exchange.getRequestHeaders().getFirst("x-amz-content-sha256"))) {
            return "XAmzContentSHA256Mismatch";
        }
        String day = String.join("/", Arrays.asList(scope).subList(1, 5));
        String text = "AWS4-HMAC-SHA256\n" + time + "\n" + day + "\n"
                + hex(digest("SHA-256", canonical.toString().getBytes(StandardCharsets.UTF_8)));
        byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
        for (int i = 1; i < 5; i++) {
            key = mac(key, scope[i]);
        }
        boolean scoped = scope[3].equals("s3") && scope[4].equals("aws4_request") && time.startsWith(scope[1]);
        return scoped && hex(mac(key, text)).equals(fields.get("Signature")) ? "" : "SignatureDoesNotMatch";
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String tag(byte[] bytes) {
        return '"' + hex(digest("MD5", bytes)) + '"';
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static void error(HttpExchange exchange, int status, String code) throws IOException {
        byte[] xml = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + code
                        + "</Code><Message>The request of " + ACCESS + " is refused</Message><StringToSign>" + SECRET
                        + "</StringToSign></Error>")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, xml.length);
        exchange.getResponseBody().write(xml);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body, Fault fault) throws IOException {
        if (fault != Fault.DROPPED_AFTER) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
