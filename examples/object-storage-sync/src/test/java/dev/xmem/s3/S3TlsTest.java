package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.testing.TestCertificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class S3TlsTest {
    @TempDir
    Path folder;

    private static S3SyncBackend backend(TestBucket bucket, Path authority) {
        return bucket.builder()
                .endpoint(URI.create("https://127.0.0.1:" + bucket.port()))
                .tls(authority)
                .build();
    }

    @Test
    void tls_ownAuthority_onlyItsCertificateForTheName() throws Exception {
        TestCertificate here = TestCertificate.create(folder.resolve("here"), "dns:localhost,ip:127.0.0.1");
        TestCertificate elsewhere = TestCertificate.create(folder.resolve("elsewhere"), "dns:elsewhere.test");
        Duration limit = Duration.ofSeconds(20);
        try (TestBucket bucket = new TestBucket(here.server());
                TestBucket other = new TestBucket(elsewhere.server())) {
            assertThat(backend(bucket, here.certificate())
                            .poll(Map.of(), 100, limit)
                            .chunks())
                    .isEmpty();
            assertThatThrownBy(() -> backend(bucket, elsewhere.certificate()).poll(Map.of(), 100, limit))
                    .isInstanceOf(S3Exception.class)
                    .hasMessageContaining("is not trusted");
            assertThatThrownBy(() -> backend(other, elsewhere.certificate()).poll(Map.of(), 100, limit))
                    .isInstanceOf(S3Exception.class)
                    .hasMessageContaining("is not trusted");
            assertThat(bucket.requests.get() + other.requests.get())
                    .as("nothing was sent to the others")
                    .isEqualTo(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> backend(bucket, Files.writeString(folder.resolve("empty.pem"), "")));
        }
    }
}
