package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.HostileBytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changed messages: after every few of them the server answers a ping and a call; no answer is an internal error. */
class StdioFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MESSAGES_OF_A_ROUND = 10;
    private static final int ROUNDS_OF_A_SERVER = 40;
    private static final int PATIENCE_SECONDS = 600;

    private static final List<String> SEEDS = seeds();

    private long answers;

    private static List<String> seeds() {
        List<String> seeds = new ArrayList<>();
        for (String params : List.of(
                "'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{},"
                        + "'clientInfo':{'name':'test','version':'1'}}",
                "'notifications/initialized'",
                "'notifications/cancelled','params':{'requestId':7,'reason':'late'}",
                "'ping'",
                "'tools/list','params':{'cursor':null}",
                "'resources/list','params':{}",
                "'resources/templates/list'",
                "'resources/read','params':{'uri':'xmem://stats'}",
                "'resources/read','params':{'uri':'xmem://entry/2026-06-01-001'}",
                "'prompts/list'",
                "'prompts/get','params':{'name':'recall','arguments':{'tool':'git','action':'push','error':'quota'}}",
                "'completion/complete','params':{'ref':{'type':'ref/prompt','name':'recall'},'argument':{'name':'tool',"
                        + "'value':'g'}}",
                "'logging/setLevel','params':{'level':'debug'}")) {
            seeds.add(params);
        }
        for (String call : List.of(
                "'record_failure','arguments':{'tool':'git','action':'push','error':'fatal: quota','tags':['a','b'],"
                        + "'pattern_avoid':'gc first','block_level':'warning','exit_code':1,'session':'s'}",
                "'record_success','arguments':{'tool':'git','pattern_name':'gc','key_steps':['a'],'answers':['x']}",
                "'recall','arguments':{'tool':'git','action':'push','error':'fatal: quota','session':'s'}",
                "'recall','arguments':{'tool':'git','action':'push','exit_code':1}",
                "'recall','arguments':{'message':'it failed again','session':'s'}",
                "'search','arguments':{'query':'tool=git quota','limit':3,'deep':true,'cursor':'x'}",
                "'search','arguments':{'query':'/qu.ta/'}",
                "'remember','arguments':{'text':'Never push on Friday.'}",
                "'remember','arguments':{'triple':{'subject':'a','predicate':'uses','object':'b'},'kind':'rule'}",
                "'report_outcome','arguments':{'id':'2026-06-01-001','outcome':'worked','session':'s'}",
                "'stats','arguments':{},'_meta':{'progressToken':'p'}")) {
            seeds.add("'tools/call','params':{'name':" + call + "}");
        }
        List<String> messages = new ArrayList<>();
        for (String seed : seeds) {
            String id = seed.startsWith("'notifications/") ? "" : "'id':" + messages.size() + ",";
            messages.add(("{'jsonrpc':'2.0'," + id + "'method':" + seed + "}").replace('\'', '"'));
        }
        return messages;
    }

    @Test
    @Timeout(value = 1_200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void messages_changed_areAnswered() throws Exception {
        run(1, ROUNDS_OF_A_SERVER, Long.MAX_VALUE);
    }

    /** For as long as {@code -Dxmem.soak.fuzzSeconds} says: an hour without it. */
    @Test
    @Tag("soak")
    void messages_changedForLong_areAnswered() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("xmem.soak.fuzzSeconds", 3_600));
        run(System.currentTimeMillis(), Long.MAX_VALUE / 2, end);
    }

    private void run(long first, long rounds, long end) throws Exception {
        long round = 0;
        while (round < rounds && System.nanoTime() < end) {
            try (XMemStore store = XMem.inMemoryBuilder().open();
                    Session session = new Session(store)) {
                for (int i = 0; i < ROUNDS_OF_A_SERVER && System.nanoTime() < end; i++, round++) {
                    session.round(first + round);
                }
            }
        }
        System.out.printf("reliability: %,d changed MCP messages, %,d answers%n", round * MESSAGES_OF_A_ROUND, answers);
    }

    /** A server with its client. */
    private final class Session implements AutoCloseable {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final OutputStream in;
        private final CompletableFuture<Boolean> ended;

        Session(XMemStore store) throws IOException {
            Pipe toServer = Pipe.open();
            Pipe fromServer = Pipe.open();
            in = Channels.newOutputStream(toServer.sink());
            BufferedReader out = new BufferedReader(Channels.newReader(fromServer.source(), StandardCharsets.UTF_8));
            ended = CompletableFuture.supplyAsync(
                    () -> {
                        try (OutputStream to = Channels.newOutputStream(fromServer.sink())) {
                            new StdioServer(McpEndpoint.of(store))
                                    .serve(Channels.newInputStream(toServer.source()), to, 1_500);
                            return true;
                        } catch (IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    task -> new Thread(task).start());
            new Thread(() -> out.lines().forEach(lines::add)).start();
        }

        void round(long number) throws IOException, InterruptedException {
            Random random = new Random(number);
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < MESSAGES_OF_A_ROUND; i++) {
                byte[] seed = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
                byte[] other = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
                byte[] message = new HostileBytes(random).changed(seed, other);
                sent.add(new String(message, StandardCharsets.UTF_8));
                in.write(message);
                in.write('\n');
            }
            in.write(HostileLines.PING.replace("after", "ping" + number).getBytes(StandardCharsets.UTF_8));
            in.write(HostileLines.CALL
                    .replace("\"call\"", "\"call" + number + "\"")
                    .getBytes(StandardCharsets.UTF_8));
            in.flush();
            boolean pinged = false;
            for (boolean called = false; !called || !pinged; ) {
                String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(line).as("round %s: %s", number, sent).isNotNull();
                JsonNode answer = JSON.readTree(line);
                assertThat(answer.at("/error/code").asInt())
                        .as("round %s: %s", number, sent)
                        .isNotEqualTo(JsonRpc.INTERNAL_ERROR);
                assertThat(line).as("round %s: %s", number, sent).doesNotContain("because of an error in the memory");
                answers++;
                pinged |= answer.path("id").asText().equals("ping" + number) && answer.has("result");
                called |= answer.path("id").asText().equals("call" + number) && answer.has("result");
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
            assertThat(ended.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join())
                    .isTrue();
        }
    }
}
