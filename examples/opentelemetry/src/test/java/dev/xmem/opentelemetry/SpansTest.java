package dev.xmem.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpansTest {
    private static final String NO_UPSTREAM = "fatal: The current branch topic has no upstream branch.";

    private final XMemStore store = XMem.inMemoryBuilder()
            .guardLimit(Duration.ofSeconds(60))
            .guardListener(new SpanEvents())
            .open();
    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final ToolSpanRecorder recorder = new ToolSpanRecorder(store);
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exported))
            .addSpanProcessor(recorder)
            .build();
    private final Tracer tracer = provider.get("test");

    @AfterEach
    void close() {
        provider.close();
        store.close();
    }

    private <T extends Entry> List<T> stored(Class<T> type) {
        assertThat(provider.forceFlush().join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
        store.flush();
        return store.search(Query.all()).matches().stream()
                .map(Match::entry)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private SpanBuilder tool(String name, String arguments) {
        return tracer.spanBuilder("execute_tool " + name)
                .setAttribute("gen_ai.operation.name", "execute_tool")
                .setAttribute("gen_ai.tool.name", name)
                .setAttribute("gen_ai.conversation.id", "monday")
                .setAttribute("gen_ai.tool.call.arguments", arguments);
    }

    @Test
    void guard_onAKnownFailure_leavesOneEventWithoutTheCall() {
        store.recordFailure(Failure.of(ToolCall.shell("git push"), ToolError.exit(128, NO_UPSTREAM))
                .patternAvoid("git push -u origin topic"));
        Span span = tool("bash", "{\"command\":\"git push\"}").startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            store.guard().failed(ToolCall.shell("git push").session("s"), ToolError.exit(128, NO_UPSTREAM));
        } finally {
            span.end();
        }

        EventData event = exported.getFinishedSpanItems().get(0).getEvents().get(0);
        assertThat(event.getName()).isEqualTo("xmem.answer");
        assertThat(event.getAttributes().get(SpanEvents.SEEN)).isOne();
        assertThat(event.getAttributes().get(SpanEvents.TOLD)).isTrue();
        assertThat(event.getAttributes().get(SpanEvents.FAMILY)).startsWith("git-push-");
        assertThat(event.getAttributes().get(SpanEvents.TOKENS)).isPositive();
        assertThat(event.getAttributes().asMap().values()).doesNotContain("push", NO_UPSTREAM);
    }

    @Test
    void guard_onASuccessOrWithoutASpan_leavesNoEvent() {
        store.guard().failed(ToolCall.shell("git push"), ToolError.exit(128, NO_UPSTREAM));
        Span span = tool("bash", "{\"command\":\"git status\"}").startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            store.guard().failed(ToolCall.shell("git status"), ToolError.exit(0, "nothing to commit"));
        } finally {
            span.end();
        }

        assertThat(exported.getFinishedSpanItems().get(0).getEvents()).isEmpty();
    }

    @Test
    void spans_aFailureAndItsRetry_areRecordedAsOnes() {
        Span failed = tool("read_file", "{\"path\":\"intro.md\"}").startSpan();
        failed.recordException(new IllegalArgumentException("No such file: intro.md"));
        failed.setStatus(StatusCode.ERROR);
        failed.end();
        Span worked = tool("read_file", "{\"path\":\"docs/intro.md\"}").startSpan();
        worked.end();

        assertThat(stored(Failure.class)).singleElement().satisfies(failure -> {
            assertThat(failure.tool()).isEqualTo("read_file");
            assertThat(failure.error()).contains("No such file: intro.md");
            assertThat(failure.sessionId()).isEqualTo("monday");
        });
        assertThat(stored(Success.class)).hasSize(1);
    }

    @Test
    void spans_withAnErrorTypeOnly_orATelltaleResult_areFailures() {
        tool("fetch", "{\"url\":\"https://example.org\"}")
                .setAttribute("error.type", "timeout")
                .startSpan()
                .end();
        tool("read", "{\"path\":\"locked.md\"}")
                .setAttribute("gen_ai.tool.call.result", "Error: the file is locked by another user")
                .startSpan()
                .end();

        assertThat(stored(Failure.class))
                .extracting(Failure::error)
                .anyMatch(error -> error.contains("timeout"))
                .anyMatch(error -> error.contains("is locked by another user"));
    }

    @Test
    void spans_ofOtherOperations_orReportedByAnAdapter_areLeftOut() {
        Span chat = tracer.spanBuilder("chat model").startSpan();
        chat.setStatus(StatusCode.ERROR, "overloaded");
        chat.end();
        Span adapted = tool("read_file", "{\"path\":\"a\"}").startSpan();
        adapted.addEvent(SpanEvents.EVENT, Attributes.empty());
        adapted.setStatus(StatusCode.ERROR, "No such file: a");
        adapted.end();

        assertThat(stored(Failure.class)).isEmpty();
    }

    @Test
    void spans_withoutAnyAttribute_areRecordedUnderTheirName() {
        Span span = tracer.spanBuilder("execute_tool deploy").startSpan();
        span.setStatus(StatusCode.ERROR, "the cluster is read-only");
        span.end();

        assertThat(stored(Failure.class)).singleElement().satisfies(failure -> {
            assertThat(failure.tool()).isEqualTo("deploy");
            assertThat(failure.error()).contains("the cluster is read-only");
        });
    }

    @Test
    void spans_afterTheEnd_areCountedAsDropped() {
        recorder.shutdown().join(60, TimeUnit.SECONDS);

        tool("fetch", "{}").setAttribute("error.type", "timeout").startSpan().end();

        assertThat(recorder.dropped()).isOne();
    }
}
