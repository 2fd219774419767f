package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem serve} in a process of its own. */
@Timeout(120)
class ServeSubcommandTest {
    @TempDir
    Path folder;

    private Process start(String... arguments) throws Exception {
        Path store = folder.resolve("store");
        try (XMemStore opened = XMem.open(store)) {
            opened.recordFailure(Failure.of("git", "push", "fatal: no upstream branch"));
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--store",
                store.toString(),
                "serve"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return builder.start();
    }

    private static String lineWith(BufferedReader out, String text) throws Exception {
        String line = out.readLine();
        while (line != null && !line.contains(text)) {
            line = out.readLine();
        }
        return String.valueOf(line);
    }

    @Test
    void serve_withPage_showsItToABrowserThatHasTheToken() throws Exception {
        Process process = start("--page", "0");
        try (BufferedReader out = process.inputReader()) {
            String address = lineWith(out, "The page is ").replaceAll(".*(http://127.0.0.1:\\d+/).*", "$1");
            Path token = folder.resolve("store/.xmem/page-token");
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest enter = HttpRequest.newBuilder(URI.create(address + "enter"))
                    .POST(HttpRequest.BodyPublishers.ofString(Files.readString(token)))
                    .build();
            String cookie = client.send(enter, HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
            HttpRequest overview = HttpRequest.newBuilder(URI.create(address + "api/overview"))
                    .header("Cookie", cookie.replaceFirst(";.*", ""))
                    .build();

            assertThat(Files.getPosixFilePermissions(token)).hasSize(2);
            assertThat(client.send(overview, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("\"failures\":1");
        } finally {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void serve_withHttp_answersAClientThatHasTheToken() throws Exception {
        Process process = start("--http", "0");
        try (BufferedReader out = process.inputReader()) {
            String line = lineWith(out, "Serving MCP on ");
            URI uri = URI.create(line.replaceAll(".*Serving MCP on ([^;]+);.*", "$1"));
            String token = Files.readString(Path.of(line.replaceAll(".*token is in (.+?)\\.?\"?\\}?$", "$1")))
                    .strip();
            assertThat(lineWith(out, "Answering the hooks of ")).contains("127.0.0.1");

            assertThat(status(uri, token)).isEqualTo(200);
            assertThat(status(uri, "x" + token)).isEqualTo(401);
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static int status(URI uri, String token) throws Exception {
        HttpRequest ping = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(ping, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void serve_portInUse_isNamedWithWhatWantsIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Process process = start("--page", String.valueOf(taken.getLocalPort()));

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isNotZero();
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("Not started: the page cannot have port " + taken.getLocalPort() + " of 127.0.0.1")
                    .doesNotContain("hooks");
        }
    }

    @Test
    void serve_invalidPort_isRefused() throws Exception {
        Process process = start("--http", "70000");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("from 0 to 65535");
    }
}
