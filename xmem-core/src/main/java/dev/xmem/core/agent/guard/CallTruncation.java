package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Truncates calls and errors to a bounded size: the content of a file that a tool writes is not part of the lesson.
 * Stateless.
 */
final class CallTruncation {
    private static final int MAX_ACTION_CHARS = 4096;
    private static final int MAX_TOOL_CHARS = 200;
    private static final int MAX_SESSION_CHARS = 512;
    private static final int MAX_KEY_CHARS = 128;
    private static final int MAX_PARSED_CHARS = 1 << 20;
    private static final int MAX_VALUE_CHARS = 400;
    private static final int MAX_ERROR_CHARS = 16_384;
    private static final int MAX_NESTING = 32;

    private CallTruncation() {}

    /** The call with an action of at most 4,096 characters; long strings in JSON arguments are cut first. */
    static ToolCall bounded(ToolCall call) {
        String session = call.session();
        if (!call.tool().isBlank()
                && call.action().length() <= MAX_ACTION_CHARS
                && call.tool().length() <= MAX_TOOL_CHARS
                && (session == null || session.length() <= MAX_SESSION_CHARS)) {
            return call;
        }
        String tool = call.tool().isBlank() ? "unknown" : head(call.tool(), MAX_TOOL_CHARS);
        boolean json = call.action().length() > MAX_ACTION_CHARS
                && call.action().stripLeading().startsWith("{");
        String action = json ? withShortValues(call.action()) : call.action();
        ToolCall small = ToolCall.json(tool, head(action, MAX_ACTION_CHARS));
        String id = call.callId();
        small = id == null ? small : small.callId(key(id));
        return session == null ? small : small.session(session.length() > MAX_SESSION_CHARS ? key(session) : session);
    }

    private static String withShortValues(String json) {
        if (json.length() > MAX_PARSED_CHARS) {
            return json;
        }
        try {
            return LineCodec.object(json, MAX_NESTING, (name, text) -> shortened(text, MAX_VALUE_CHARS))
                    .text();
        } catch (MalformedLineException e) {
            return json;
        }
    }

    /**
     * The error without advice of the store itself, and with a text of at most 32,768 characters: the beginning and the
     * end of the output.
     */
    static ToolError bounded(ToolError error) {
        String text = Fence.without(error.text());
        if (text.length() > 2 * MAX_ERROR_CHARS) {
            int end = text.length() - MAX_ERROR_CHARS;
            end += Character.isLowSurrogate(text.charAt(end)) ? 1 : 0;
            text = head(text, MAX_ERROR_CHARS) + '\n' + text.substring(end);
        }
        return error(error.exitCode(), text);
    }

    static ToolError error(@Nullable Integer code, String text) {
        return code == null ? ToolError.text(text) : ToolError.exit(code, text);
    }

    /** A prefix of a text; never ends inside a surrogate pair. */
    static String head(String text, int chars) {
        if (text.length() <= chars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars);
    }

    /** The text, or its prefix and an ellipsis if it is longer than the limit. */
    static String shortened(String text, int chars) {
        return text.length() <= chars ? text : head(text, chars) + '…';
    }

    /** A map key of bounded length for an id that an agent chooses: a long id is replaced by its SHA-256. */
    static String key(String id) {
        if (id.length() <= MAX_KEY_CHARS) {
            return id;
        }
        try {
            byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
            return '\n'
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
