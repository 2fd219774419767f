package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.Failure;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class McpHttpServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOKEN = "a-token-of-many-characters";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";

    private final XMemStore store = XMem.inMemoryBuilder().open();
    private final HttpClient client = HttpClient.newHttpClient();
    private McpHttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = McpHttpServer.start(store, 0, TOKEN);
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(server.uri())
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    private HttpResponse<String> post(HttpRequest.Builder request, String body) throws Exception {
        return client.send(
                request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private String session() throws Exception {
        return post(request(), INITIALIZE)
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    private HttpResponse<String> post(String session, String body) throws Exception {
        return post(request().header("Mcp-Session-Id", session), body);
    }

    private static String call(int id, String tool, String arguments, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + more + "}}";
    }

    @Test
    void sessions_ofTwoHosts_shareTheStoreButNotTheirVotes() throws Exception {
        String id = store.recordFailure(Failure.of("git", "push", "rejected")).id();
        String vote = call(1, "report_outcome", "{\"id\":\"" + id + "\",\"outcome\":\"worked\"}", "");
        String one = session();
        String two = session();

        List<Boolean> counted = new ArrayList<>();
        for (String session : List.of(one, one, two)) {
            JsonNode answer = JSON.readTree(post(session, vote).body());
            counted.add(answer.at("/result/structuredContent/counted").asBoolean());
        }

        assertThat(counted).containsExactly(true, false, true);
    }

    @Test
    void request_ofAnotherMachineOrWithoutToken_isRefused() throws Exception {
        assertThat(raw("Host: evil.example", "Authorization: Bearer " + TOKEN)).startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost.evil.example", "Authorization: Bearer " + TOKEN))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost", "Origin: https://evil.example", "Authorization: Bearer " + TOKEN))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost", "Origin: null", "Authorization: Bearer " + TOKEN))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("Host: localhost")).startsWith("HTTP/1.1 401");
        assertThat(raw("Host: localhost", "Authorization: Bearer " + TOKEN + "x"))
                .startsWith("HTTP/1.1 401");
        assertThat(raw("Host: localhost", "Authorization: Bearer")).startsWith("HTTP/1.1 401");
        assertThat(raw("Host: localhost", "Authorization: Basic " + TOKEN)).startsWith("HTTP/1.1 401");
        assertThat(raw("Host: [::1]:1", "Origin: http://127.0.0.1:3000", "Authorization: bearer " + TOKEN))
                .startsWith("HTTP/1.1 200");
    }

    /** Posts an initialize with these headers, and returns the response. */
    private String raw(String... headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            String head = "POST /mcp HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                    + INITIALIZE.length() + "\r\n\r\n" + INITIALIZE;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void request_withoutOrWithUnknownSession_isRefused() throws Exception {
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        String session = session();
        HttpResponse<String> ended =
                client.send(request().header("Mcp-Session-Id", session).DELETE().build(), BodyHandlers.ofString());

        assertThat(post(request(), list).statusCode()).isEqualTo(400);
        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(post(session, list).statusCode()).isEqualTo(404);
        assertThat(post(request(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void sessions_tooMany_endTheLeastRecentlyUsed() throws Exception {
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        String first = session();
        String second = session();
        for (int i = 0; i < McpHttpServer.MAX_SESSIONS - 2; i++) {
            session();
        }
        assertThat(post(first, list).statusCode()).isEqualTo(200);
        session();

        assertThat(post(first, list).statusCode()).isEqualTo(200);
        assertThat(post(second, list).statusCode()).isEqualTo(404);
    }

    @Test
    void notification_isAccepted_andOtherMethodsAreNot() throws Exception {
        String session = session();
        HttpResponse<String> get =
                client.send(request().header("Mcp-Session-Id", session).GET().build(), BodyHandlers.ofString());

        assertThat(post(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                        .statusCode())
                .isEqualTo(202);
        assertThat(get.statusCode()).isEqualTo(405);
        assertThat(get.headers().firstValue("Allow")).hasValue("POST, DELETE");
        assertThat(post(request().header("MCP-Protocol-Version", "1999-01-01"), INITIALIZE)
                        .statusCode())
                .isEqualTo(400);
        assertThat(client.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
                                        .header("Authorization", "Bearer " + TOKEN)
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void call_withProgressToken_isAnsweredByEvents() throws Exception {
        String body = post(session(), call(7, "stats", "{}", ",\"_meta\":{\"progressToken\":\"p\"}"))
                .body();

        List<JsonNode> events = new ArrayList<>();
        for (String line : body.split("\n")) {
            if (line.startsWith("data: ")) {
                events.add(JSON.readTree(line.substring(6)));
            }
        }
        assertThat(events).hasSize(3);
        assertThat(events.get(0).at("/params/progressToken").asText()).isEqualTo("p");
        assertThat(events.get(0).at("/params/progress").asInt())
                .isLessThan(events.get(1).at("/params/progress").asInt());
        assertThat(events.get(2).get("id").asInt()).isEqualTo(7);
    }

    /** The lines that one request can carry, as bodies. */
    @Test
    void hostileBodies_areAnsweredAndLeaveTheServerServing() throws Exception {
        String session = session();
        for (Map.Entry<String, byte[]> line : HostileLines.all().entrySet()) {
            HttpRequest.Builder request = request().header("Mcp-Session-Id", session);
            int status;
            try {
                status = client.send(
                                request.POST(HttpRequest.BodyPublishers.ofByteArray(line.getValue()))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode();
            } catch (IOException e) {
                status = 413; // the server closed the connection while the client still sent
            }
            assertThat(status).as(line.getKey()).isIn(200, 202, 400, 413);
            assertThat(post(session, call(1, "stats", "{}", "")).statusCode())
                    .as(line.getKey())
                    .isEqualTo(200);
        }
    }

    /** More clients than there are calls at a time, each of which sends half a request. */
    @Test
    void slowClients_holdUpNoOthers() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                slow.add(socket);
                OutputStream out = socket.getOutputStream();
                String head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer " + TOKEN + "\r\nContent-Length: 100\r\n";
                out.write((i % 2 == 0 ? head : head + "\r\n{").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }

            assertThat(session()).isNotEmpty();
            for (Socket socket : slow) { // each is answered by an error or disconnected
                assertThat(text(socket)).doesNotContain("200 OK");
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static String text(Socket socket) {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void start_shortTokenOrUsedPort_isRefused() {
        assertThatThrownBy(() -> McpHttpServer.start(store, 0, "short")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> McpHttpServer.start(store, server.port(), TOKEN))
                .isInstanceOf(IOException.class);
    }

    @Test
    void tokenFile_isOfItsOwnerAndStays(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("mcp-token");

        String token = TokenFile.readOrCreate(file);

        assertThat(token).hasSizeGreaterThan(40);
        assertThat(TokenFile.readOrCreate(file)).isEqualTo(token);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void tokenFile_thatIsALinkOrEmpty_isRefused(@TempDir Path folder) throws Exception {
        Path target = Files.writeString(folder.resolve("target"), TOKEN);
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> TokenFile.readOrCreate(link)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> TokenFile.readOrCreate(empty)).isInstanceOf(IOException.class);
    }
}
