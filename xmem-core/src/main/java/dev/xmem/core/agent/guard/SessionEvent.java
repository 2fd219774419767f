package dev.xmem.core.agent.guard;

import dev.xmem.ToolError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An event of a session in its file: a finished call, or a warning before one. Redacted. Immutable.
 *
 * @param kind what happened
 * @param call the call; for a warning, its failure has the family and the suggestions of the warning
 * @param error the salient lines of the error; null unless the call failed
 * @param callKey the {@link SessionFiles#hash} of the call's id; empty if it has none
 */
record SessionEvent(Kind kind, SessionCall call, @Nullable ToolError error, long millis, String callKey) {
    private static final int MAX_CHARS = 4096;
    private static final int MAX_ITEMS = 16;
    private static final int MAX_LINES = 128;
    /** How long a claim holds. */
    static final long CLAIM_MILLIS = 10_000;

    /** What happened. */
    enum Kind {
        CALL,
        /** A call that proves neither a success nor a failure. */
        STEP,
        /** A call that failed and was recorded for the first time. */
        RECORDED,
        /** A call of an unknown command: it is recorded unless the next call shows that it was a typo. */
        HELD,
        /** A failure that the agent asked about, in a session whose calls are not reported. */
        ASKED,
        /** The session was told how to note a lesson. */
        HINTED,
        /** The user spoke, who may have changed anything. */
        USER,
        /** A process is about to record a failure. */
        CLAIM,
        WARNING
    }

    SessionEvent(Kind kind, SessionCall call, @Nullable ToolError error, long millis) {
        this(kind, call, error, millis, "");
    }

    /** A warning before a call. */
    static SessionEvent warning(Session.Warned warned, long millis) {
        SessionCall.FailureInfo info =
                new SessionCall.FailureInfo(warned.family(), "", "", null, null, warned.suggested(), OutputLines.NONE);
        return new SessionEvent(Kind.WARNING, warned.call().with(0, info), null, millis);
    }

    /** The same event at another time. */
    SessionEvent at(long millis) {
        return new SessionEvent(kind, call, error, millis, callKey);
    }

    /** The claim of a process to record this failure. */
    SessionEvent claim() {
        return new SessionEvent(Kind.CLAIM, call, null, millis);
    }

    /** Whether another process has recorded the same failure since a time, or is about to. */
    boolean takesOver(SessionEvent other, long since) {
        SessionCall.FailureInfo own = call.failure();
        SessionCall.FailureInfo failure = other.call.failure();
        return own != null
                && failure != null
                && own.family().equals(failure.family())
                && own.subject().equals(failure.subject())
                && call.operation().equals(other.call.operation())
                && (kind == Kind.RECORDED && millis >= since
                        || kind == Kind.CLAIM && Math.abs(other.millis - millis) < CLAIM_MILLIS);
    }

    /** This failure, recorded by another process: the holder of the id gets the one that is known. */
    SessionEvent recordedBy(SessionEvent other) {
        AtomicReference<@Nullable String> own = call.info().written();
        AtomicReference<@Nullable String> recorded = other.call.info().written();
        if (own != null && recorded != null) {
            own.set(recorded.get());
        }
        return new SessionEvent(Kind.CALL, call, error, millis, callKey);
    }

    /** The fields of the event. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", kind.name());
        fields.put("ts", Long.toString(millis));
        fields.put("tool", call.tool());
        fields.put("action", call.action());
        fields.put("operation", call.operation());
        putIfKnown(fields, "call", callKey.isEmpty() ? null : callKey);
        SessionCall.FailureInfo failure = call.failure();
        if (failure != null) {
            fields.put("family", failure.family());
            fields.put("pattern", failure.pattern());
            fields.put("subject", failure.subject());
            AtomicReference<@Nullable String> written = failure.written();
            putIfKnown(fields, "id", written == null ? null : written.get());
            putIfKnown(fields, "known", failure.known());
            List<String> suggested = new ArrayList<>();
            for (Suggestion suggestion : failure.suggested()) {
                suggested.addAll(List.of(suggestion.id(), suggestion.text()));
            }
            fields.put("suggested", suggested);
            fields.put("salient", Integer.toString(failure.output().salient()));
            fields.put(
                    "lines",
                    failure.output().lines().stream().map(String::valueOf).toList());
            fields.put(
                    "words",
                    failure.output().words().stream().map(String::valueOf).toList());
        }
        if (error != null) {
            fields.put("error", error.text());
            putIfKnown(fields, "code", error.exitCode());
        }
        return fields;
    }

    private static void putIfKnown(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value.toString());
        }
    }

    /**
     * Reads an event that another process wrote; null if it is none.
     *
     * @param number the number of the call in its session
     * @param now the latest time that the event may have
     */
    static @Nullable SessionEvent of(Map<String, Object> fields, long number, long now) {
        Kind kind = kind(text(fields, "event"));
        String tool = text(fields, "tool");
        if (kind == null || tool.isBlank()) {
            return null;
        }
        SessionCall.FailureInfo failure = fields.containsKey("family") ? failure(fields) : null;
        if (failure == null && kind != Kind.CALL && kind != Kind.STEP && kind != Kind.HINTED && kind != Kind.USER) {
            return null;
        }
        SessionCall call = new SessionCall(number, tool, text(fields, "action"), text(fields, "operation"), failure);
        ToolError error = fields.containsKey("error") ? error(fields) : null;
        return new SessionEvent(kind, call, error, millis(fields.get("ts"), now), text(fields, "call"));
    }

    private static @Nullable Kind kind(String name) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }

    private static SessionCall.FailureInfo failure(Map<String, Object> fields) {
        String id = text(fields, "id");
        String known = text(fields, "known");
        List<Suggestion> suggested = new ArrayList<>();
        if (fields.get("suggested") instanceof List<?> items) {
            for (int i = 0; i + 1 < Math.min(MAX_ITEMS, items.size()); i += 2) {
                suggested.add(new Suggestion(bounded(items.get(i)), bounded(items.get(i + 1))));
            }
        }
        return new SessionCall.FailureInfo(
                text(fields, "family"),
                text(fields, "pattern"),
                text(fields, "subject"),
                id.isEmpty() ? null : new AtomicReference<>(id),
                known.isEmpty() ? null : known,
                suggested,
                new OutputLines(
                        (int) number(fields.get("salient"), 0),
                        hashes(fields.get("lines")),
                        hashes(fields.get("words"))));
    }

    private static List<Integer> hashes(@Nullable Object given) {
        List<?> items = given instanceof List<?> list ? list : List.of();
        List<Integer> hashes = new ArrayList<>();
        for (Object item : items.subList(0, Math.min(MAX_LINES, items.size()))) {
            hashes.add((int) number(item, 0));
        }
        return hashes;
    }

    /** The whole number in a text; the default if the value is no such text. */
    private static long number(@Nullable Object given, long missing) {
        try {
            return given instanceof String text ? Long.parseLong(text) : missing;
        } catch (NumberFormatException e) {
            return missing;
        }
    }

    private static ToolError error(Map<String, Object> fields) {
        long code = number(fields.get("code"), Long.MAX_VALUE);
        return CallTruncation.error((int) code == code ? (int) code : null, text(fields, "error"));
    }

    /** A time in milliseconds since 1970, not in the future; 0 if it is none. */
    static long millis(@Nullable Object time, long now) {
        return Math.max(0, Math.min(now, number(time, 0)));
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? bounded(text) : "";
    }

    private static String bounded(Object text) {
        return CallTruncation.head(text.toString(), MAX_CHARS);
    }
}
