package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build itself uses is pinned, and the audit of the dependencies says what it knows. */
class SupplyChainTest {
    private static final String BOM = """
            {"metadata" : {"component" : {"purl" : "pkg:maven/dev.xmem/xmem-core@1?type=jar"}},
             "components" : [{"purl" : "pkg:maven/com.example/parser@1.2.3?type=jar"}]}""";

    private static final int PATIENCE_MILLIS = 600_000;

    @TempDir
    Path folder;

    private record Audit(int code, String output) {}

    private Audit audit(String url) throws IOException, InterruptedException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // most of its time is that of the compiler of the one source file
                "-XX:+UseSerialGC",
                Repository.root().resolve(".ci/Audit.java").toString(),
                folder.toString());
        java.environment().put("OSV_URL", url);
        java.environment().remove("HTTPS_PROXY");
        Process process = java.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Audit(process.waitFor(), output);
    }

    private void writeBom() throws IOException {
        Path sbom = Files.createDirectories(folder.resolve("module/target/classes/META-INF/sbom"));
        Files.writeString(sbom.resolve("module.cdx.json"), BOM);
    }

    /** Audits with a database that gives this answer to each question. */
    private Audit auditWith(String status, String answer) throws Exception {
        writeBom();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(PATIENCE_MILLIS);
            Thread database = new Thread(() -> answer(server, status, answer));
            database.start();
            Audit audit = audit("http://127.0.0.1:" + server.getLocalPort() + "/v1/query");
            database.join();
            return audit;
        }
    }

    private static void answer(ServerSocket server, String status, String answer) {
        try (Socket client = server.accept()) {
            InputStream in = client.getInputStream();
            StringBuilder request = new StringBuilder();
            while (!request.toString().contains("}}")) {
                request.append((char) in.read());
            }
            boolean known =
                    request.toString().contains("{\"package\":{\"purl\":\"pkg:maven/com.example/parser@1.2.3\"}}");
            OutputStream out = client.getOutputStream();
            String body = known ? answer : "unexpected question";
            out.write(("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n"
                            + body)
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void audit_nothingKnown_passes() throws Exception {
        Audit audit = auditWith("200 OK", "{}");
        assertThat(audit.output).contains("asked about 1 run-time dependencies, 0 known vulnerabilities");
        assertThat(audit.code).isZero();
    }

    @Test
    void audit_knownVulnerability_failsAndNamesIt() throws Exception {
        Audit audit = auditWith("200 OK", "{\"vulns\":[{\"id\":\"GHSA-aaaa-bbbb-cccc\",\"summary\":\"x\"}]}");
        assertThat(audit.output).contains("pkg:maven/com.example/parser@1.2.3", "GHSA-aaaa-bbbb-cccc");
        assertThat(audit.code).isEqualTo(1);
    }

    @Test
    void audit_databaseIsUnreachableOrBroken_saysThatItCouldNotAsk() throws Exception {
        assertThat(audit("http://127.0.0.1:1/")).matches(a -> a.code == 2 && a.output.contains("no SBOM"));
        writeBom();
        assertThat(audit("http://127.0.0.1:1/")).matches(a -> a.code == 2 && a.output.contains("COULD NOT ASK"));
        Audit broken = auditWith("502 Bad Gateway", "<html>");
        assertThat(broken.output).contains("COULD NOT ASK", "status 502");
        assertThat(broken.code).isEqualTo(2);
    }

    @Test
    void wrapper_distribution_hasAChecksum() throws IOException {
        assertThat(Files.readAllLines(Repository.root().resolve(".mvn/wrapper/maven-wrapper.properties")))
                .anyMatch(line -> line.matches("distributionSha256Sum=[0-9a-f]{64}"))
                .anyMatch(line -> line.matches("distributionUrl=https://.*"));
    }

    /** Maven takes the newest version of a plug-in that has none. */
    @Test
    void plugins_ofEveryModule_haveAVersion() throws IOException {
        String parent = Files.readString(Repository.root().resolve("pom.xml"));
        List<Path> poms;
        try (Stream<Path> files = Files.find(
                Repository.root(),
                3,
                (file, a) -> file.endsWith("pom.xml") && !file.toString().contains("target"))) {
            poms = files.toList();
        }
        assertThat(poms).hasSizeGreaterThan(10);
        Pattern plugin = Pattern.compile(
                "<plugin>.*?<artifactId>([^<]+)</artifactId>\\s*(<version>[^<]+</version>)?", Pattern.DOTALL);
        for (Path pom : poms) {
            Matcher each = plugin.matcher(Files.readString(pom));
            while (each.find()) {
                boolean managed = parent.matches("(?s).*<artifactId>" + each.group(1) + "</artifactId>\\s*<version>.*");
                assertThat(each.group(2) != null || managed)
                        .as(each.group(1) + " in " + pom)
                        .isTrue();
            }
        }
    }

    @Test
    void publishedModules_haveAnSbom() throws IOException {
        for (String module :
                List.of("xmem-api", "xmem-core", "xmem-git", "examples/cli", "examples/mcp-server", "examples/hooks")) {
            assertThat(Files.readString(Repository.root().resolve(module).resolve("pom.xml")))
                    .as(module)
                    .contains("<artifactId>cyclonedx-maven-plugin</artifactId>");
        }
    }
}
