package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.testing.TestCertificate;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a server with a certificate of its own. */
@Timeout(120)
class PostgresTlsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private TestCertificate certificate;
    private EmbeddedPostgres server;

    @BeforeEach
    void start() throws Exception {
        Server.url(); // skips where there is no server
        certificate = TestCertificate.create(folder.resolve("server"), "dns:localhost");
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", certificate.certificate().toString())
                .setServerConfig("ssl_key_file", certificate.key().toString())
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private PostgresSyncBackend.Builder builder(String host, Path authority) {
        return PostgresSyncBackend.of("jdbc:postgresql://" + host + ":" + server.getPort() + "/postgres")
                .credentials("postgres", "postgres")
                .tls(authority);
    }

    private void assertRefused(String host, Path authority, String why) throws Exception {
        try (PostgresSyncBackend backend = builder(host, authority).build();
                PostgresSharedMemory memory = builder(host, authority).sharedMemory(1, Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> backend.poll(Map.of(), 100, LIMIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(why)
                    .hasMessageNotContaining("password");
            assertThatThrownBy(() -> memory.lookup("x", LIMIT)).isInstanceOf(IOException.class);
            assertThat(memory.problem()).contains("PostgreSQL does not answer").contains(why);
        }
    }

    @Test
    void tls_onlyTheAuthoritysCertificateForTheName() throws Exception {
        try (PostgresSyncBackend backend =
                        builder("localhost", certificate.certificate()).build();
                PostgresSharedMemory memory =
                        builder("localhost", certificate.certificate()).sharedMemory(1, Duration.ofSeconds(1))) {
            assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).isEmpty();
            assertThat(memory.lookup("x", LIMIT)).isEmpty();
        }
        TestCertificate other = TestCertificate.create(folder.resolve("other"), "dns:localhost");
        assertRefused("localhost", other.certificate(), "SSL error");
        assertRefused("127.0.0.1", certificate.certificate(), "could not be verified");
    }
}
