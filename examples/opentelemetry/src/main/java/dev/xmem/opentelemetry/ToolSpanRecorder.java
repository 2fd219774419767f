package dev.xmem.opentelemetry;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records the failed tool calls of frameworks that have no adapter, from their {@code execute_tool} spans:
 *
 * <pre>{@code
 * SdkTracerProvider.builder().addSpanProcessor(new ToolSpanRecorder(store)).build();
 * }</pre>
 *
 * <p>It reads the semantic conventions for generative AI: {@code gen_ai.tool.name}, {@code gen_ai.tool.call.id}, {@code
 * gen_ai.tool.call.arguments}, {@code gen_ai.tool.call.result}, {@code gen_ai.conversation.id}, {@code error.type}, and
 * the event of an exception. A span with the status ERROR or an {@code error.type} has failed; the result of another
 * one is judged as the guard judges the output of a tool. Nothing can be told to the model this way. A span that has an
 * event {@value SpanEvents#EVENT} is left out: an adapter reported its call.
 *
 * <p>Spans are handled one after another on one daemon thread; at most {@value #CAPACITY} wait, further ones are {@link
 * #dropped}. Thread-safe.
 *
 * @since 0.1
 */
public final class ToolSpanRecorder implements SpanProcessor {
    private static final int CAPACITY = 1024;
    private static final Duration FLUSH_LIMIT = Duration.ofSeconds(10);

    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    private static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    private static final AttributeKey<String> CALL_ID = AttributeKey.stringKey("gen_ai.tool.call.id");
    private static final AttributeKey<String> ARGUMENTS = AttributeKey.stringKey("gen_ai.tool.call.arguments");
    private static final AttributeKey<String> RESULT = AttributeKey.stringKey("gen_ai.tool.call.result");
    private static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("gen_ai.conversation.id");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> EXCEPTION_TYPE = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> EXCEPTION_MESSAGE = AttributeKey.stringKey("exception.message");
    private static final String NAME = "execute_tool";

    private final ToolGuard guard;
    private final Function<SpanData, @Nullable String> session;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor worker;

    /** A processor whose sessions are the conversations of the spans, or else their traces. */
    public ToolSpanRecorder(XMemStore store) {
        this(store, span -> {
            String conversation = span.getAttributes().get(CONVERSATION);
            return conversation == null ? span.getTraceId() : conversation;
        });
    }

    /**
     * A processor that takes the session of a span from a function.
     *
     * @param session is null for a span without a session
     */
    public ToolSpanRecorder(XMemStore store, Function<SpanData, @Nullable String> session) {
        this.guard = store.guard();
        this.session = session;
        this.worker = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(CAPACITY), task -> {
            Thread thread = new Thread(task, "xmem-tool-spans");
            thread.setDaemon(true);
            return thread;
        });
        worker.allowCoreThreadTimeOut(true);
    }

    /** Returns the number of spans that were left out because too many were waiting, or after the end. */
    public long dropped() {
        return dropped.get();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!isToolCall(span)) {
            return;
        }
        SpanData data = span.toSpanData();
        try {
            worker.execute(() -> report(data));
        } catch (RejectedExecutionException e) {
            dropped.incrementAndGet();
        }
    }

    private static boolean isToolCall(ReadableSpan span) {
        return NAME.equals(span.getAttribute(OPERATION))
                || span.getName().equals(NAME)
                || span.getName().startsWith(NAME + ' ');
    }

    private void report(SpanData span) {
        if (span.getEvents().stream().anyMatch(event -> event.getName().equals(SpanEvents.EVENT))) {
            return;
        }
        Attributes attributes = span.getAttributes();
        ToolCall call = call(span, attributes);
        String error = error(span, attributes);
        String result = attributes.get(RESULT);
        if (error != null) {
            guard.failed(call, ToolError.exit(1, error));
        } else if (result == null) {
            guard.succeeded(call);
        } else {
            guard.failed(call, ToolError.exit(0, result));
        }
    }

    private ToolCall call(SpanData span, Attributes attributes) {
        String tool = attributes.get(TOOL);
        if (tool == null || tool.isBlank()) {
            tool = span.getName()
                    .substring(Math.min(NAME.length(), span.getName().length()));
        }
        String arguments = attributes.get(ARGUMENTS);
        ToolCall call = ToolCall.of(tool.isBlank() ? "tool" : tool.strip(), arguments == null ? "" : arguments);
        String id = attributes.get(CALL_ID);
        String in = session.apply(span);
        call = id == null ? call : call.callId(id);
        return in == null || in.isEmpty() ? call : call.session(in);
    }

    /** What the span says of its failure; null if it has not failed. */
    private static @Nullable String error(SpanData span, Attributes attributes) {
        String type = attributes.get(ERROR_TYPE);
        if (span.getStatus().getStatusCode() != StatusCode.ERROR && type == null) {
            return null;
        }
        for (EventData event : span.getEvents()) {
            String message = event.getAttributes().get(EXCEPTION_MESSAGE);
            if (message != null) {
                String thrown = event.getAttributes().get(EXCEPTION_TYPE);
                return thrown == null ? message : thrown + ": " + message;
            }
        }
        String result = attributes.get(RESULT);
        String description = span.getStatus().getDescription();
        String text = result == null || result.isBlank() ? description : result;
        String named = type == null ? "the tool failed" : type;
        return text.isBlank() ? named : text;
    }

    /** Waits until the spans so far are recorded, on another thread. */
    @Override
    public CompletableResultCode forceFlush() {
        CompletableResultCode done = new CompletableResultCode();
        try {
            worker.execute(() -> complete(done));
        } catch (RejectedExecutionException e) {
            done.fail();
        }
        return done;
    }

    private void complete(CompletableResultCode done) {
        if (guard.flush(FLUSH_LIMIT)) {
            done.succeed();
        } else {
            done.fail();
        }
    }

    /** Records what waits, and takes no more spans. The store stays open. */
    @Override
    public CompletableResultCode shutdown() {
        CompletableResultCode done = forceFlush();
        worker.shutdown();
        return done;
    }
}
