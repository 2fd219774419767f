package dev.xmem.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are answered. A request needs a {@code Host} that was allowed, no foreign {@code Origin}, and
 * the cookie; an act also needs the header {@value #ACT_HEADER} and JSON. The cookie is given for the store's token, or
 * for the code of the address that {@code serve --open} opens, which works once; it is void when the server ends.
 * Thread-safe. Decision:
 * docs/adr/0085-page.md.
 */
final class Gate {
    static final int FORBIDDEN = 403;
    static final int BAD_REQUEST = 400;

    static final String ACT_HEADER = "X-Xmem-Act";
    static final int MAX_BODY = 64 << 10;

    private static final int UNAUTHORIZED = 401;
    private static final int TOO_LARGE = 413;
    private static final int TOO_LONG = 414;
    private static final int UNSUPPORTED_TYPE = 415;
    private static final int TOO_MANY = 429;
    private static final int MAX_ADDRESS = 4_096;
    private static final int MAX_COOKIES = 8_192;
    private static final int BURST = 200;
    private static final int PER_SECOND = 50;
    private static final int ENTRIES_BURST = 10;
    private static final double ENTRIES_PER_SECOND = 0.2;
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final byte[] token;
    private final byte[] cookie;
    private final String cookieName;
    private final byte[] actSecret;
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> origins = new HashSet<>();
    private final boolean secure;
    private final Bucket requests = new Bucket(BURST, PER_SECOND);
    private final Bucket strangers = new Bucket(BURST, PER_SECOND);
    private final Bucket codes = new Bucket(ENTRIES_BURST, ENTRIES_PER_SECOND);
    private final Bucket tokens = new Bucket(ENTRIES_BURST, ENTRIES_PER_SECOND);
    private @Nullable String code;

    /** @param origin the origin of a proxy with TLS in front of the page; null if there is none */
    Gate(String token, int port, @Nullable URI origin) {
        this.token = bytes(token);
        this.cookie = bytes(random());
        this.actSecret = bytes(random());
        this.cookieName = "xmem-" + port;
        for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
            hosts.add(host + ':' + port);
            origins.add("http://" + host + ':' + port);
        }
        secure = origin != null;
        if (origin != null) {
            hosts.add(lower(origin.getRawAuthority()));
            origins.add(lower(origin.toString()));
        }
    }

    private static String random() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }

    /** A code that can be exchanged for the cookie once; the code before it is void. */
    synchronized String newCode() {
        code = random();
        return code;
    }

    /** The headers of every answer. */
    static void harden(Headers headers) {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** Checks what every request must have, also one for the form that asks for the token. */
    void checkAddress(HttpExchange exchange) throws Refusal {
        Headers headers = exchange.getRequestHeaders();
        List<String> host = headers.getOrDefault("Host", List.of());
        if (host.size() != 1 || !hosts.contains(lower(host.get(0)))) {
            throw new Refusal(FORBIDDEN, "The Host must be that of the page, such as 127.0.0.1 and its port.");
        }
        List<String> origin = headers.getOrDefault("Origin", List.of());
        if (origin.size() > 1 || !origin.isEmpty() && !origins.contains(lower(origin.get(0)))) {
            throw new Refusal(FORBIDDEN, "The Origin must be that of the page.");
        }
        if (exchange.getRequestURI().toString().length() > MAX_ADDRESS) {
            throw new Refusal(TOO_LONG, "The address must not exceed " + MAX_ADDRESS + " characters.");
        }
        checkSite(exchange);
        if (!(isKnown(exchange) ? requests : strangers).take()) {
            throw new Refusal(TOO_MANY, "Too many requests; wait a moment.");
        }
    }

    /** Refuses what another site asks for, before it takes from a bucket; a link to the page is followed. */
    private static void checkSite(HttpExchange exchange) throws Refusal {
        Headers headers = exchange.getRequestHeaders();
        String site = lower(headers.getFirst("Sec-Fetch-Site"));
        String path = exchange.getRequestURI().getPath();
        boolean isLink = lower(headers.getFirst("Sec-Fetch-Mode")).equals("navigate")
                && exchange.getRequestMethod().equals("GET")
                && ("/".equals(path) || "/enter".equals(path));
        if ((site.equals("cross-site") || site.equals("same-site")) && !isLink) {
            throw new Refusal(FORBIDDEN, "The page answers requests of its own site only.");
        }
    }

    /** Whether the request carries the cookie. */
    boolean isKnown(HttpExchange exchange) {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            if (header.length() > MAX_COOKIES) {
                continue;
            }
            for (String each : header.split(";", -1)) {
                int equals = each.indexOf('=');
                if (equals > 0
                        && each.substring(0, equals).strip().equals(cookieName)
                        && MessageDigest.isEqual(
                                cookie, bytes(each.substring(equals + 1).strip()))) {
                    return true;
                }
            }
        }
        return false;
    }

    void requireKnown(HttpExchange exchange) throws Refusal {
        if (!isKnown(exchange)) {
            throw new Refusal(UNAUTHORIZED, "Enter the token of the store first.");
        }
    }

    /** The secret that an act carries. A foreign site can send the cookie at most, and read nothing. */
    String actSecret() {
        return new String(actSecret, StandardCharsets.UTF_8);
    }

    void requireAct(HttpExchange exchange) throws Refusal {
        Headers headers = exchange.getRequestHeaders();
        String given = headers.getFirst(ACT_HEADER);
        if (given == null || !MessageDigest.isEqual(actSecret, bytes(given))) {
            throw new Refusal(FORBIDDEN, "An act needs the header " + ACT_HEADER + ". Reload the page.");
        }
        if (!lower(headers.getFirst("Content-Type")).startsWith("application/json")) {
            throw new Refusal(UNSUPPORTED_TYPE, "The Content-Type must be application/json.");
        }
    }

    /** Gives the cookie for a code or the token, which are compared in constant time, and not often. */
    void enter(HttpExchange exchange, boolean byCode, String given) throws Refusal {
        if (!(byCode ? codes : tokens).take()) {
            throw new Refusal(TOO_MANY, "Too many attempts; wait a minute.");
        }
        boolean matches = byCode ? takeCode(given) : MessageDigest.isEqual(token, bytes(given.strip()));
        if (!matches) {
            throw new Refusal(
                    UNAUTHORIZED,
                    byCode ? "This address worked once. Enter the token, or run xmem serve --open." : "Not the token.");
        }
        exchange.getResponseHeaders()
                .add(
                        "Set-Cookie",
                        cookieName + '=' + new String(cookie, StandardCharsets.UTF_8)
                                + "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : ""));
    }

    private synchronized boolean takeCode(String given) {
        boolean matches = code != null && MessageDigest.isEqual(bytes(code), bytes(given));
        code = matches ? null : code;
        return matches;
    }

    /** The body of a request, which is bounded. */
    static String body(HttpExchange exchange) throws IOException, Refusal {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(MAX_BODY + 1);
            if (body.length > MAX_BODY) {
                exchange.getResponseHeaders().set("Connection", "close");
                throw new Refusal(TOO_LARGE, "A request must not exceed " + MAX_BODY + " bytes.");
            }
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A token bucket: it allows a burst of requests, and then a number of requests per second. */
    private static final class Bucket {
        private static final double NANOS = 1e9;

        private final int burst;
        private final double perSecond;
        private double left;
        private long last = System.nanoTime();

        Bucket(int burst, double perSecond) {
            this.burst = burst;
            this.perSecond = perSecond;
            this.left = burst;
        }

        synchronized boolean take() {
            long now = System.nanoTime();
            left = Math.min(burst, left + (now - last) / NANOS * perSecond);
            last = now;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }
}
