package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;

/**
 * Calls and errors cut to a size that is worth keeping: a file that a tool was given to write is no part of the lesson.
 * Immutable and thread-safe.
 */
final class CallTruncation {
    /** The longest action that is kept, in characters. */
    static final int MOST_ACTION_CHARS = 4096;

    private static final String NO_TOOL = "unknown";
    private static final int MOST_TOOL_CHARS = 200;
    private static final int MOST_SESSION_CHARS = 512;
    private static final int MOST_PARSED_CHARS = 1 << 20;
    private static final int MOST_VALUE_CHARS = 400;
    private static final int MOST_ERROR_CHARS = 16_384;
    private static final int NESTING = 32;
    private static final String CUT = "…";

    private final LineCodec codec;

    CallTruncation(LineCodec codec) {
        this.codec = codec;
    }

    /** The call with at most so much action; long strings among JSON arguments are cut, and it stays JSON. */
    ToolCall bounded(ToolCall call) {
        String session = call.session();
        if (!call.tool().isBlank()
                && call.action().length() <= MOST_ACTION_CHARS
                && call.tool().length() <= MOST_TOOL_CHARS
                && (session == null || session.length() <= MOST_SESSION_CHARS)) {
            return call;
        }
        String tool = call.tool().isBlank() ? NO_TOOL : head(call.tool(), MOST_TOOL_CHARS);
        ToolCall small = ToolCall.json(tool, boundedAction(call.action()));
        return session == null
                ? small
                : small.session(session.length() > MOST_SESSION_CHARS ? KeyDigest.of(session) : session);
    }

    private String boundedAction(String action) {
        if (action.length() > MOST_ACTION_CHARS && action.stripLeading().startsWith("{")) {
            String json = withShortValues(action);
            return head(json, MOST_ACTION_CHARS);
        }
        return head(action, MOST_ACTION_CHARS);
    }

    private String withShortValues(String json) {
        if (json.length() > MOST_PARSED_CHARS) {
            return json;
        }
        try {
            return codec.object(
                            json,
                            NESTING,
                            (name, text) ->
                                    text.length() <= MOST_VALUE_CHARS ? text : head(text, MOST_VALUE_CHARS) + CUT)
                    .text();
        } catch (MalformedLineException e) {
            return json;
        }
    }

    /** The error with the beginning and the end of what the tool said. */
    static ToolError bounded(ToolError error, String text) {
        String said = text;
        if (said.length() > 2 * MOST_ERROR_CHARS) {
            int tail = said.length() - MOST_ERROR_CHARS;
            tail += Character.isLowSurrogate(said.charAt(tail)) ? 1 : 0;
            said = head(said, MOST_ERROR_CHARS) + '\n' + said.substring(tail);
        }
        Integer code = error.exitCode();
        return code == null ? ToolError.text(said) : ToolError.exit(code, said);
    }

    /** The first characters of a text, no surrogate pair parted. */
    static String head(String text, int chars) {
        if (text.length() <= chars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars);
    }
}
