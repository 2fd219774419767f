package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, clocks and addresses: what is refused, and how it is told. */
@Timeout(60)
class S3AccessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestBucket bucket = new TestBucket();

    @AfterEach
    void stop() {
        bucket.close();
    }

    private S3Exception refused(S3SyncBackend.Builder builder) {
        S3Exception refused =
                catchThrowableOfType(S3Exception.class, () -> builder.build().poll(Map.of(), 100, LIMIT));
        StringWriter trace = new StringWriter();
        refused.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain(TestBucket.SECRET, TestBucket.ACCESS, "Signature=", "a-token");
        return refused;
    }

    @Test
    void poll_refusals_areTypedWithoutCredentials() {
        assertThat(refused(bucket.builder().credentials(S3Credentials.of(TestBucket.ACCESS, "wrong", "a-token")))
                        .code())
                .isEqualTo("SignatureDoesNotMatch");
        assertThat(refused(bucket.builder().credentials(S3Credentials.of("other", TestBucket.SECRET, null)))
                        .code())
                .isEqualTo("InvalidAccessKeyId");
        assertThat(refused(new S3SyncBackend.Builder("other", Map.of())
                                .endpoint(bucket.endpoint())
                                .credentials(S3Credentials.of(TestBucket.ACCESS, TestBucket.SECRET, null)))
                        .code())
                .isEqualTo("NoSuchBucket");
        bucket.token = "a-token";
        assertThat(refused(bucket.builder())).hasMessageContaining("ExpiredToken: renew the session token");
        bucket.token = null;
        bucket.answer = new byte[0];
        bucket.answerStatus = 301;
        bucket.answerHeaders = Map.of("x-amz-bucket-region", "eu-central-1", "Location", "http://127.0.0.1:1/");
        assertThat(refused(bucket.builder()).status()).isEqualTo(301);
        bucket.answer = "<Error><Code>PermanentRedirect</Code></Error>".getBytes(StandardCharsets.UTF_8);
        assertThat(refused(bucket.builder())).hasMessageContaining("the region eu-central-1");
    }

    /** Something that is no server of HTTP repeats what it was sent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n",
                "HTTP/1.1 %s\r\n\r\n",
                "HTTP/1.1 200 OK\r\n%s\r\n\r\n"
            })
    void poll_answerRepeatsTheRequest_messageDoesNot(String answer) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread echo = new Thread(() -> echo(server, answer));
            echo.setDaemon(true);
            echo.start();
            S3SyncBackend backend = bucket.builder()
                    .endpoint(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                    .build();
            IOException failed =
                    catchThrowableOfType(IOException.class, () -> backend.poll(Map.of(), 100, Duration.ofMillis(400)));
            StringWriter trace = new StringWriter();
            failed.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain(TestBucket.ACCESS, "Signature=");
        }
    }

    private static void echo(ServerSocket server, String answer) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    BufferedReader in =
                            new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                    String authorization = "";
                    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                        authorization = line.startsWith("Authorization") ? line.substring(15) : authorization;
                    }
                    client.getOutputStream()
                            .write(answer.formatted(authorization).getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            // closed
        }
    }

    @Test
    void poll_sessionToken_isSentAndSigned() throws IOException {
        bucket.token = "a-token";
        AtomicInteger asked = new AtomicInteger();
        S3SyncBackend backend = bucket.builder()
                .credentials(() -> S3Credentials.of(
                        TestBucket.ACCESS, TestBucket.SECRET, asked.getAndIncrement() == 0 ? "old" : "a-token"))
                .build();
        assertThatThrownBy(() -> backend.poll(Map.of(), 100, LIMIT)).isInstanceOf(S3Exception.class);
        assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).isEmpty();
    }

    private S3Client client(HttpClient http, S3Client.Place place, InstantSource clock) {
        S3Credentials keys = S3Credentials.of(TestBucket.ACCESS, TestBucket.SECRET, null);
        return new S3Client(http, place, "us-east-1", () -> keys, clock, LIMIT);
    }

    @Test
    void poll_clockIsWrong_saysByHowMuch() {
        S3Client early = client(
                HttpClient.newHttpClient(),
                new S3Client.Place(bucket.endpoint(), '/' + TestBucket.NAME),
                () -> Instant.now().minusSeconds(3600));
        S3Exception skewed = catchThrowableOfType(S3Exception.class, () -> early.list("", null, new TimeLimit(LIMIT)));
        assertThat(skewed.code()).isEqualTo("RequestTimeTooSkewed");
        assertThat(skewed).hasMessageMatching(".*clock is 3(599|60[0-2]) s behind the store's: set the clock");
    }

    /** The bucket is in the name of the host, which a proxy resolves. */
    @Test
    void publish_virtualHost_worksToo() throws IOException {
        S3Place place = new S3Place(TestBucket.NAME, Map.of());
        place.endpoint(URI.create("https://s3.test"));
        place.pathStyle(false);
        assertThat(place.place().base()).isEqualTo(URI.create("https://memory.s3.test"));
        HttpClient http = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", bucket.port())))
                .build();
        S3Client client = client(http, new S3Client.Place(URI.create("http://memory.s3.test"), ""), Instant::now);
        S3SyncBackend backend = new S3SyncBackend(client, "a/b/", Duration.ZERO);
        Stream stream = new Stream("a".repeat(32), "notes");
        Chunk chunk = Chunk.of(stream, 1, 0, "{}\n".getBytes(StandardCharsets.UTF_8));
        assertThat(backend.publish(Publication.of(stream.replica(), List.of(chunk), "x"), LIMIT)
                        .isAccepted())
                .isTrue();
        assertThat(bucket.objects()).containsKey("a/b/xmem-v1/heads/" + stream.replica() + ".json");
        assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).hasSize(1);
    }

    @Test
    void place_defaults() {
        Map<String, String> amazon = Map.of("AWS_REGION", "eu-central-1", "AWS_DEFAULT_REGION", "us-west-2");
        assertThat(new S3Place("team-memory", amazon).place())
                .isEqualTo(new S3Client.Place(URI.create("https://team-memory.s3.eu-central-1.amazonaws.com"), ""));
        assertThat(new S3Place("team.memory", Map.of()).place())
                .as("no certificate has a name with more dots")
                .isEqualTo(new S3Client.Place(URI.create("https://s3.us-east-1.amazonaws.com"), "/team.memory"));
        S3Client.Place minio = new S3Place("m1", Map.of("AWS_ENDPOINT_URL", "https://minio.example.org:9000/")).place();
        assertThat(minio).isEqualTo(new S3Client.Place(URI.create("https://minio.example.org:9000"), "/m1"));
        assertThat(minio.host()).isEqualTo("minio.example.org:9000");
        S3Place standard = new S3Place("m1", Map.of());
        standard.endpoint(URI.create("https://r2.example.org:443"));
        assertThat(standard.place().host()).as("as the client sends it").isEqualTo("r2.example.org");
    }

    @Test
    void builder_invalid_refused() {
        for (String bucketName : List.of("", "a", "../x", "a/b", "a?b", "a..b", "-ab")) {
            assertThatIllegalArgumentException().isThrownBy(() -> S3SyncBackend.of(bucketName));
        }
        S3SyncBackend.Builder builder = bucket.builder();
        for (String endpoint : List.of(
                "http://minio.example.org",
                "https://a:b@minio.example.org",
                "https://h/path",
                "ftp://h",
                "https://h?q")) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.endpoint(URI.create(endpoint)));
        }
        for (String prefix : List.of("../x", "/x", "a//b", "a b", "ä")) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.prefix(prefix));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> builder.region("eu central"));
        assertThatIllegalArgumentException().isThrownBy(() -> S3Credentials.of("a\nb", "s", null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3SyncBackend.Builder("memory", Map.of("AWS_ACCESS_KEY_ID", "a")).build())
                .withMessageContaining("AWS_SECRET_ACCESS_KEY");
        assertThat(S3Credentials.of("access", "secret", "token").toString()).isEqualTo("S3Credentials");
    }

    @Test
    void builder_environmentInvalid_refusedWithoutItsText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Place("memory", Map.of("AWS_REGION", "x.example.org/")))
                .withMessageContaining("region");
        assertThat(new S3Place("memory", Map.of("AWS_REGION", "")).place().host())
                .isEqualTo("memory.s3.us-east-1.amazonaws.com");
        assertThatThrownBy(() -> new S3Place("memory", Map.of("AWS_ENDPOINT_URL", "https://a:hidden@h/ x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContaining("AWS_ENDPOINT_URL")
                .hasMessageNotContaining("hidden");
    }
}
