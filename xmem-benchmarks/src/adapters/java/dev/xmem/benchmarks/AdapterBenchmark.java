package dev.xmem.benchmarks;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.langchain4j.XMemAgent;
import dev.xmem.springai.XMemAdvisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.DefaultToolDefinition;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Measures a call of a tool that works, through an adapter and without one: the difference is the overhead. The store
 * has failures of the same tool. Each call is new to the guard.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class AdapterBenchmark {
    /** The characters of a result. */
    @Param({"200", "4000"})
    public int chars;

    private String result = "";
    private @Nullable Path folder;
    private @Nullable XMemStore store;
    private @Nullable ToolExecutor plainExecutor;
    private @Nullable ToolExecutor guardedExecutor;
    private @Nullable ToolCallback plainCallback;
    private @Nullable ToolCallback guardedCallback;
    private long next;

    /** Opens a store with failures and installs both adapters. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int line = 0; text.length() < chars; line++) {
            text.append("    total += price(").append(line).append(") * quantity;\n");
        }
        result = text.substring(0, chars);
        folder = Files.createTempDirectory("xmem-adapter-benchmark");
        XMemStore opened = XMem.open(folder);
        store = opened;
        for (int i = 0; i < 1_000; i++) {
            opened.recordFailure(Failure.of(
                            ToolCall.json("read", arguments(i)), ToolError.text("No such file: src/File" + i + ".java"))
                    .patternAvoid("List the folder first")
                    .sessionId("session-" + i % 50));
        }
        opened.flush();
        opened.guard().warmUp();
        plainExecutor = (request, id) -> result;
        guardedExecutor = XMemAgent.with(opened).guarded(plainExecutor);
        plainCallback = new Callback();
        guardedCallback = advised(opened, plainCallback);
    }

    /** The callback as a chat client calls it behind the advisor. */
    private static ToolCallback advised(XMemStore store, ToolCallback tool) {
        AtomicReference<ChatClientRequest> advised = new AtomicReference<>();
        Prompt prompt = new Prompt(
                "Read it.", ToolCallingChatOptions.builder().toolCallbacks(tool).build());
        XMemAdvisor.with(store)
                .adviseCall(
                        new ChatClientRequest(prompt, Map.of(ChatMemory.CONVERSATION_ID, "monday")),
                        new CallAdvisorChain() {
                            @Override
                            public ChatClientResponse nextCall(ChatClientRequest request) {
                                advised.set(request);
                                return new ChatClientResponse(null, Map.of());
                            }

                            @Override
                            public List<CallAdvisor> getCallAdvisors() {
                                return List.of();
                            }

                            @Override
                            public CallAdvisorChain copy(CallAdvisor after) {
                                return this;
                            }
                        });
        ToolCallback guarded = ((ToolCallingChatOptions)
                        Objects.requireNonNull(advised.get().prompt().getOptions()))
                .getToolCallbacks()
                .get(0);
        if (guarded == tool) {
            throw new IllegalStateException("the advisor did not wrap the tool");
        }
        return guarded;
    }

    private final class Callback implements ToolCallback {
        private final ToolDefinition definition = DefaultToolDefinition.builder()
                .name("read")
                .description("Reads a file")
                .inputSchema("{}")
                .build();

        @Override
        public ToolDefinition getToolDefinition() {
            return definition;
        }

        @Override
        public String call(String input) {
            return result;
        }
    }

    private static String arguments(long i) {
        return "{\"path\":\"src/File" + i + ".java\"}";
    }

    private ToolExecutionResult executed(ToolExecutor tool) {
        long i = next++;
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .id("call-" + i)
                .name("read")
                .arguments(arguments(i))
                .build();
        return tool.executeWithContext(
                request,
                InvocationContext.builder().chatMemoryId("session-" + i % 50).build());
    }

    @Benchmark
    public ToolExecutionResult langchain4jNone() {
        return executed(Objects.requireNonNull(plainExecutor));
    }

    @Benchmark
    public ToolExecutionResult langchain4jXmem() {
        return executed(Objects.requireNonNull(guardedExecutor));
    }

    @Benchmark
    public String springAiNone() {
        return Objects.requireNonNull(plainCallback).call(arguments(next++));
    }

    @Benchmark
    public String springAiXmem() {
        return Objects.requireNonNull(guardedCallback).call(arguments(next++));
    }

    /** Closes and deletes the store. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Objects.requireNonNull(store).close();
        LogFiles.delete(Objects.requireNonNull(folder));
    }
}
