package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that writes message by message, with a server that has a tool {@code wait} too. */
@Timeout(60)
class StdioServerTest {
    private static final long GRACE_MILLIS = 2_000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WAIT = "{\"name\":\"wait\",\"arguments\":{},\"_meta\":{\"progressToken\":\"p\"}}";

    private final XMemStore store = XMem.inMemoryBuilder().open();
    private final Semaphore waiting = new Semaphore(0);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final List<String> done = new ArrayList<>();

    private OutputStream in;
    private BufferedReader out;
    private Thread server;

    @BeforeEach
    void start() throws IOException {
        Map<String, Object> any = Map.of("type", "object");
        McpEndpoint endpoint = new McpEndpoint(spec -> spec.capabilities(
                        ServerCapabilities.builder().tools(false).build())
                .tools(new MemoryTools(new MemoryCalls(store)).all())
                .tools(SyncToolSpecification.builder()
                        .tool(Tool.builder("wait", any).build())
                        .callHandler((context, request) -> {
                            begun.countDown();
                            McpEndpoint.client(context).notify("notifications/test", Map.of());
                            waiting.acquireUninterruptibly();
                            synchronized (done) {
                                done.add("wait");
                            }
                            return CallToolResult.builder()
                                    .addTextContent("waited")
                                    .build();
                        })
                        .build()));
        Pipe toServer = Pipe.open();
        Pipe fromServer = Pipe.open();
        in = Channels.newOutputStream(toServer.sink());
        out = new BufferedReader(Channels.newReader(fromServer.source(), StandardCharsets.UTF_8));
        server = new Thread(() -> {
            try (OutputStream answers = Channels.newOutputStream(fromServer.sink())) {
                new StdioServer(endpoint).serve(Channels.newInputStream(toServer.source()), answers, GRACE_MILLIS);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        waiting.release(1_000);
        in.close();
        server.join();
        store.close();
    }

    private void send(String line) throws IOException {
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void request(int id, String method, String params) throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
    }

    private JsonNode next() throws IOException {
        return JSON.readTree(out.readLine());
    }

    /** The message with this id; the messages before it are skipped. */
    private JsonNode answer(String id) throws IOException {
        JsonNode message = next();
        while (!message.path("id").asText("").equals(id)) {
            message = next();
        }
        return message;
    }

    static Stream<String> lines() {
        return HostileLines.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void hostileLine_isFollowedByAnswers(String name) throws Exception {
        Thread writer = new Thread(() -> {
            try {
                in.write(HostileLines.all().get(name));
                send(HostileLines.PING.strip());
                send(HostileLines.CALL.strip());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();

        assertThat(answer("after").get("result")).isEmpty();
        assertThat(answer("call").at("/result/isError").asBoolean(true)).isFalse();
        writer.join();
    }

    @Test
    void ping_whileACallRuns_isAnsweredAtOnce() throws Exception {
        request(1, "tools/call", WAIT);
        begun.await();
        request(2, "ping", "{}");

        assertThat(answer("2").has("result")).isTrue();
        waiting.release();
        assertThat(answer("1").at("/result/content/0/text").asText()).isEqualTo("waited");
    }

    @Test
    void cancel_runningCall_isNotAnsweredAndHoldsNothingUp() throws Exception {
        request(1, "tools/call", WAIT);
        begun.await();
        request(2, "tools/call", "{\"name\":\"stats\"}");
        request(3, "tools/call", WAIT);
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        assertThat(answer("2").has("result")).isTrue();
        waiting.release(10);
        request(4, "tools/call", "{\"name\":\"stats\"}");

        assertThat(next().get("id").asInt()).isEqualTo(4);
        request(5, "tools/call", WAIT);
        assertThat(answer("5").has("result")).isTrue();
        synchronized (done) {
            assertThat(done).as("the call that waited was not started").hasSize(2);
        }
    }

    @Test
    void requests_sentAtOnce_takeEffectInOrder() throws Exception {
        for (int i = 0; i < 20; i++) {
            String failure = "{\"name\":\"record_failure\",\"arguments\":{\"tool\":\"t" + i
                    + "\",\"action\":\"run\",\"error\":\"error " + i + "\"}}";
            request(2 * i, "tools/call", failure);
            request(2 * i + 1, "tools/call", "{\"name\":\"stats\",\"arguments\":{}}");
        }

        for (int i = 0; i < 20; i++) {
            assertThat(next().get("id").asInt()).isEqualTo(2 * i);
            assertThat(next().at("/result/structuredContent/failures").asInt()).isEqualTo(i + 1);
        }
    }

    @Test
    void request_withTheIdOfAPendingOne_isRefused() throws Exception {
        request(1, "tools/call", WAIT);
        begun.await();
        request(1, "tools/call", "{\"name\":\"stats\"}");

        assertThat(answer("1").at("/error/code").asInt()).isEqualTo(JsonRpc.INVALID_REQUEST);
        waiting.release();
        assertThat(answer("1").has("result")).isTrue();
    }

    @Test
    void end_whileCallsWait_answersAllOfThemHoweverLongTheyTakeTogether() throws Exception {
        int calls = 8;
        for (int i = 1; i <= calls; i++) {
            request(i, "tools/call", WAIT);
        }
        in.close();

        for (int i = 1; i <= calls; i++) {
            Thread.sleep(GRACE_MILLIS / 4);
            waiting.release();
            assertThat(answer(String.valueOf(i)).has("result")).isTrue();
        }
        server.join();
    }

    @Test
    void end_whileACallRuns_answersItByAnError() throws Exception {
        request(1, "tools/call", WAIT);
        begun.await();
        in.close();

        assertThat(answer("1").at("/error/code").asInt()).isEqualTo(JsonRpc.SERVER_ERROR);
        server.join();
    }

    @Test
    void end_whileTheClientDoesNotRead_endsTheServer() throws Exception {
        StringBuilder flood = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            flood.append("{\"jsonrpc\":\"2.0\",\"id\":\"")
                    .append("x".repeat(100))
                    .append(i);
            flood.append("\",\"method\":\"ping\"}\n");
        }
        in.write(flood.toString().getBytes(StandardCharsets.UTF_8));
        in.close();

        server.join();
        assertThat(next().get("result")).isEmpty();
    }

    @Test
    void invalidMessages_areAnsweredByTheirErrors() throws Exception {
        send("{\"jsonrpc\":\"2.0\"");
        send("");
        send("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
        send("{\"jsonrpc\":\"2.0\",\"id\":2}");
        send("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":[]}");
        send("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}");

        assertThat(next().toString()).contains("-32700", "\"id\":null");
        assertThat(next().toString()).contains("-32600", "\"id\":null", "Batches");
        assertThat(next().toString()).contains("-32600", "\"id\":2");
        assertThat(next().toString()).contains("-32602", "\"id\":3");
        assertThat(next().toString()).contains("-32600", "\"id\":null");
    }
}
