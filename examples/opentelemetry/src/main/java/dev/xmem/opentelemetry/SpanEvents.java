package dev.xmem.opentelemetry;

import dev.xmem.Advice;
import dev.xmem.GuardListener;
import dev.xmem.ToolCall;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Adds an event {@value #EVENT} to the current span, usually {@code execute_tool}, for each failure that the guard of a
 * store answers, and for each answer that has a text for the model:
 *
 * <pre>{@code
 * XMemStore store = XMem.builder(directory).guardListener(new SpanEvents()).open();
 * }</pre>
 *
 * <p>The attributes of an event: {@code xmem.question}, {@code xmem.status}, {@code xmem.family} (the context hash),
 * {@code xmem.seen} (how often the family was met before), {@code xmem.told} (whether there is a text for the model),
 * {@code xmem.tokens} of this text. Neither the call nor the text is an attribute. Thread-safe.
 *
 * @since 0.1
 */
public final class SpanEvents implements GuardListener {
    /** The name of the event. */
    public static final String EVENT = "xmem.answer";

    static final AttributeKey<String> QUESTION = AttributeKey.stringKey("xmem.question");
    static final AttributeKey<String> STATUS = AttributeKey.stringKey("xmem.status");
    static final AttributeKey<String> FAMILY = AttributeKey.stringKey("xmem.family");
    static final AttributeKey<Long> SEEN = AttributeKey.longKey("xmem.seen");
    static final AttributeKey<Boolean> TOLD = AttributeKey.booleanKey("xmem.told");
    static final AttributeKey<Long> TOKENS = AttributeKey.longKey("xmem.tokens");

    @Override
    public void answered(Question question, @Nullable ToolCall call, Advice advice, Duration took) {
        Span span = Span.current();
        String family = advice.ctxHash();
        boolean unavailable = advice.status() == Advice.Status.UNAVAILABLE;
        if (!span.isRecording() || family == null && advice.isEmpty() && !unavailable) {
            return;
        }
        AttributesBuilder attributes = Attributes.builder()
                .put(QUESTION, lower(question))
                .put(STATUS, lower(advice.status()))
                .put(SEEN, (long) advice.seen())
                .put(TOLD, !advice.isEmpty())
                .put(TOKENS, (long) advice.tokens());
        if (family != null) {
            attributes.put(FAMILY, family);
        }
        span.addEvent(EVENT, attributes.build());
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
