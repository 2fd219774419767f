package dev.xmem.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server that others wrote: the one of the system property {@code xmem.s3.endpoint} with the bucket {@code
 * xmem.s3.bucket} and the keys of the environment; else S3Proxy, which the profile {@code s3proxy} puts on the class
 * path. Tests that need it are skipped without both. Each test has a folder of its own.
 */
final class RealServer {
    private static final AtomicInteger FOLDERS = new AtomicInteger();
    private static final String RUN = "run-" + Long.toHexString(System.nanoTime());

    private RealServer() {}

    private static final class Running {
        private static final @Nullable URI PROXY = start();

        private static @Nullable URI start() {
            try {
                // By reflection, because its jars are there only with the profile.
                Class<?> builder = Class.forName("org.gaul.s3proxy.junit.S3ProxyJunitCore$Builder");
                Object made = builder.getConstructor().newInstance();
                builder.getMethod("withCredentials", String.class, String.class)
                        .invoke(made, TestBucket.ACCESS, TestBucket.SECRET);
                Object server = builder.getMethod("build").invoke(made);
                server.getClass().getMethod("beforeEach").invoke(server);
                URI uri = (URI) server.getClass().getMethod("getUri").invoke(server);
                S3Client root = new S3Client(
                        HttpClient.newHttpClient(),
                        new S3Client.Place(uri, ""),
                        "us-east-1",
                        () -> S3Credentials.of(TestBucket.ACCESS, TestBucket.SECRET, null),
                        InstantSource.system(),
                        Duration.ofSeconds(10));
                root.put(TestBucket.NAME, new byte[0], new TimeLimit(Duration.ofSeconds(10)));
                return uri;
            } catch (ClassNotFoundException e) {
                return null;
            } catch (Exception e) {
                throw new IllegalStateException("S3Proxy does not start", e);
            }
        }
    }

    /** A folder that no other test uses. */
    static String folder() {
        return RUN + '/' + FOLDERS.incrementAndGet();
    }

    static S3SyncBackend backend(String folder) {
        String endpoint = System.getProperty("xmem.s3.endpoint", "");
        if (!endpoint.isEmpty()) {
            return S3SyncBackend.of(System.getProperty("xmem.s3.bucket", TestBucket.NAME))
                    .endpoint(URI.create(endpoint))
                    .prefix(folder)
                    .build();
        }
        URI proxy = Running.PROXY;
        assumeTrue(proxy != null, "there is no server: use the profile s3proxy, or the property xmem.s3.endpoint");
        return new S3SyncBackend.Builder(TestBucket.NAME, Map.of())
                .endpoint(proxy)
                .credentials(S3Credentials.of(TestBucket.ACCESS, TestBucket.SECRET, null))
                .prefix(folder)
                .build();
    }
}
