package dev.xmem.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends signed requests to one bucket. What may succeed later is tried again until the time limit, with exponential
 * backoff and jitter: 429, 500, 502, 503 and 504, and connections that fail or stay silent. So a write whose answer was
 * lost is repeated; {@link HeadStore} tells its own conditional write from another's. Follows no redirect.
 */
final class S3Client {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int MAX_TRIES = 10;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MAX_ERROR_BYTES = 65536;
    private static final int MAX_LISTING_BYTES = 8 << 20;

    private final HttpClient http;
    private final Place place;
    private final RequestSigner signer;
    private final Supplier<S3Credentials> credentials;
    private final InstantSource clock;
    private final Duration answerLimit;
    private volatile boolean keepsVersions;

    /**
     * Where the bucket is.
     *
     * @param base scheme, host and port, such as {@code https://bucket.s3.eu-central-1.amazonaws.com}
     * @param root what the path of each object begins with: empty, or a slash and the name of the bucket
     */
    record Place(URI base, String root) {
        String host() {
            return base.getPort() < 0 ? base.getHost() : base.getHost() + ':' + base.getPort();
        }
    }

    /** An answer. */
    record Reply(int status, HttpHeaders headers, byte[] body) {
        String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    /**
     * An object, or a part of it.
     *
     * @param tag its entity tag as the server writes it
     */
    record Content(byte[] bytes, String tag) {}

    S3Client(
            HttpClient http,
            Place place,
            String region,
            Supplier<S3Credentials> credentials,
            InstantSource clock,
            Duration answerLimit) {
        this.http = http;
        this.place = place;
        this.signer = new RequestSigner(region, "s3");
        this.credentials = credentials;
        this.clock = clock;
        this.answerLimit = answerLimit;
    }

    /** Whether the bucket keeps versions of objects that are replaced or deleted, as far as writes have shown. */
    boolean keepsVersions() {
        return keepsVersions;
    }

    /** Reads an object; null if there is none. */
    @Nullable Content get(String key, int maxBytes, TimeLimit limit) throws IOException {
        Reply reply = send("GET", key, Map.of(), Map.of(), new byte[0], maxBytes, limit);
        if (reply.status == 404 && !isCode(reply, "NoSuchBucket")) {
            return null;
        }
        return new Content(expect(reply, "GET", key, 200).body, tag(reply));
    }

    /** The entity tag in an answer. An empty one would make a condition that some servers take for none. */
    private static String tag(Reply reply) throws S3Exception {
        String tag = reply.header("etag");
        if (!tag.matches("[\\x21-\\x7e]{1,256}")) {
            throw new S3Exception(
                    reply.status,
                    S3Exception.NO_TAG,
                    "the object store sends no entity tag, without which two writers would overwrite each other: use"
                            + " one that does");
        }
        return tag;
    }

    /** Reads the bytes of an object from a position to its end, which is known; null if there is no such object. */
    byte @Nullable [] tail(String key, int from, int length, TimeLimit limit) throws IOException {
        Map<String, String> range = Map.of("range", "bytes=" + from + '-' + (length - 1));
        Reply reply = send("GET", key, Map.of(), range, new byte[0], length, limit);
        if (reply.status == 404 && !isCode(reply, "NoSuchBucket")) {
            return null;
        }
        byte[] body = expect(reply, "GET", key, 200, 206).body;
        int skip = reply.status == 206 ? 0 : from; // a server may ignore the range
        if (body.length != (reply.status == 206 ? length - from : length)) {
            throw new S3Exception(reply.status, S3Exception.WRONG_LENGTH, "the object " + key + " has another length");
        }
        return skip == 0 ? body : Arrays.copyOfRange(body, skip, body.length);
    }

    /** Writes an object. */
    void put(String key, byte[] bytes, TimeLimit limit) throws IOException {
        expect(send("PUT", key, Map.of(), Map.of(), bytes, MAX_ERROR_BYTES, limit), "PUT", key, 200);
    }

    /**
     * Writes an object if its entity tag is still the given one, or if there is none.
     *
     * @param tag null for an object that must not exist
     * @return the new entity tag; null if the condition does not hold
     */
    @Nullable String putIf(String key, byte[] bytes, @Nullable String tag, TimeLimit limit) throws IOException {
        Map<String, String> condition = tag == null ? Map.of("if-none-match", "*") : Map.of("if-match", tag);
        Reply reply = send("PUT", key, Map.of(), condition, bytes, MAX_ERROR_BYTES, limit);
        boolean gone = reply.status == 404 && tag != null && !isCode(reply, "NoSuchBucket");
        if (reply.status == 412 || reply.status == 409 || gone) {
            return null;
        }
        return tag(expect(reply, "PUT", key, 200));
    }

    /** Deletes an object; does nothing if there is none. */
    void delete(String key, TimeLimit limit) throws IOException {
        Reply reply = send("DELETE", key, Map.of(), Map.of(), new byte[0], MAX_ERROR_BYTES, limit);
        if (reply.status != 404 || isCode(reply, "NoSuchBucket")) {
            expect(reply, "DELETE", key, 200, 204);
        }
    }

    /** The objects whose keys have a prefix, a page of them. */
    Listing list(String prefix, @Nullable String from, TimeLimit limit) throws IOException {
        Map<String, String> query =
                new TreeMap<>(Map.of("list-type", "2", "prefix", prefix, "encoding-type", "url", "max-keys", "1000"));
        if (from != null) {
            query.put("continuation-token", from);
        }
        Reply reply = send("GET", "", query, Map.of(), new byte[0], MAX_LISTING_BYTES, limit);
        return Listing.parse(expect(reply, "LIST", prefix, 200).body);
    }

    private Reply send(
            String method,
            String key,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] body,
            int maxBytes,
            TimeLimit limit)
            throws IOException {
        for (int tries = 1; ; tries++) {
            IOException failure;
            try {
                Reply reply = sendOnce(request(method, key, query, headers, body), maxBytes, limit);
                if (!isPassing(reply)) {
                    return reply;
                }
                failure = failure(reply, method, key);
            } catch (InterruptedIOException | S3Exception e) {
                throw e;
            } catch (IOException e) {
                failure = e;
            }
            pause(tries, failure, limit);
        }
    }

    /** 409 is not one: the condition has to be judged again. */
    private static boolean isPassing(Reply reply) {
        return switch (reply.status) {
            case 429, 500, 502, 503, 504 -> true;
            default -> false;
        };
    }

    private HttpRequest request(
            String method, String key, Map<String, String> query, Map<String, String> headers, byte[] body) {
        S3Credentials keys = credentials.get();
        String hash = RequestSigner.sha256(body);
        TreeMap<String, String> signed = new TreeMap<>(headers);
        signed.put("host", place.host());
        signed.put("x-amz-content-sha256", hash);
        signed.put("x-amz-date", TIME.format(clock.instant()));
        String token = keys.sessionToken();
        if (token != null) {
            signed.put("x-amz-security-token", token);
        }
        String path = place.root + '/' + key;
        String parameters = RequestSigner.query(query);
        URI uri = URI.create(
                place.base + RequestSigner.encode(path, true) + (parameters.isEmpty() ? "" : '?' + parameters));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(
                        method,
                        method.equals("PUT")
                                ? HttpRequest.BodyPublishers.ofByteArray(body)
                                : HttpRequest.BodyPublishers.noBody())
                .header("Authorization", signer.authorization(keys, method, path, query, signed, hash));
        signed.remove("host"); // the client sends it
        signed.forEach(request::header);
        return request.build();
    }

    private Reply sendOnce(HttpRequest request, int maxBytes, TimeLimit limit) throws IOException {
        long wait = Math.min(limit.left(), answerLimit.toNanos());
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request, info -> new LimitedBody(info.statusCode() < 300 ? maxBytes : MAX_ERROR_BYTES));
        try {
            HttpResponse<byte[]> response = answer.get(wait, TimeUnit.NANOSECONDS);
            String version = response.headers().firstValue("x-amz-version-id").orElse("null");
            keepsVersions |= !version.equals("null");
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the request to the object store was interrupted");
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("the object store did not respond within " + wait / 1_000_000 + " ms", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (isCause(LimitedBody.TooLongException.class, e)) {
                throw new S3Exception(
                        200, S3Exception.TOO_LONG, "the object store answers with more than " + maxBytes + " bytes");
            }
            if (isCause(CertificateException.class, e) || isCause(CertPathValidatorException.class, e)) {
                throw new S3Exception(
                        0,
                        S3Exception.UNTRUSTED,
                        "the certificate of " + place.host() + " is not trusted: pass its authority to tls()");
            }
            // Without the texts of the causes, which may have what the server sent, and so what it was sent.
            throw new IOException("no answer of the object store: " + types(e.getCause()));
        }
    }

    private static void pause(int tries, IOException failure, TimeLimit limit) throws IOException {
        long most = Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << tries);
        long pause = ThreadLocalRandom.current().nextLong(most / 2, most);
        if (tries >= MAX_TRIES || leftOr0(limit) <= pause) {
            throw failure;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the request to the object store was interrupted");
        }
    }

    private static boolean isCause(Class<? extends Exception> type, Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 8; depth++) {
            if (type.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static String types(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(8)
                .map(cause -> cause.getClass().getSimpleName())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static long leftOr0(TimeLimit limit) {
        try {
            return limit.left();
        } catch (IOException e) {
            return 0;
        }
    }

    private static boolean isCode(Reply reply, String code) {
        return Listing.errorCode(reply.body).equals(code);
    }

    private Reply expect(Reply reply, String method, String key, int... statuses) throws S3Exception {
        for (int status : statuses) {
            if (reply.status == status) {
                return reply;
            }
        }
        throw failure(reply, method, key);
    }

    private S3Exception failure(Reply reply, String method, String key) {
        String code = Listing.errorCode(reply.body);
        String what = "the object store refuses " + method + ' ' + key + " with " + reply.status
                + (code.isEmpty() ? "" : ' ' + code);
        return new S3Exception(reply.status, code, what + advice(reply, code));
    }

    private String advice(Reply reply, String code) {
        String region = reply.header("x-amz-bucket-region");
        return switch (code) {
            case "RequestTimeTooSkewed" -> skew(reply) + ": set the clock";
            case "SignatureDoesNotMatch", "InvalidAccessKeyId" -> ": check the keys and the region";
            case "ExpiredToken", "InvalidToken" -> ": renew the session token";
            case "AccessDenied" -> ": the policy of the keys must allow it";
            case "NoSuchBucket" -> ": create the bucket, or check its name and the path style";
            case "NotImplemented" -> ": it lacks what this backend needs, such as conditional writes";
            case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException" ->
                region.matches("[a-z0-9-]{1,40}") ? ": the bucket is in the region " + region : ": check the region";
            default -> reply.status / 100 == 3 ? ": check the endpoint and the region" : "";
        };
    }

    private String skew(Reply reply) {
        try {
            Instant there = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(reply.header("date")));
            long seconds = Duration.between(there, clock.instant()).toSeconds();
            return ": this machine's clock is " + Math.abs(seconds) + " s " + (seconds < 0 ? "behind" : "ahead of")
                    + " the store's";
        } catch (DateTimeParseException e) {
            return ": this machine's clock and the store's differ";
        }
    }
}
