package dev.xmem.hooks.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.hooks.dialect.HookEvent.Type;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/**
 * How one coding agent writes its events, and what it reads from the output and the exit code of a hook. The base class
 * is that of Claude Code, which most agents follow. Immutable. Decision: docs/adr/0048-dialects-of-hooks.md.
 */
public class HookDialect {
    /** All dialects; one that accepts the events of others comes after them. */
    private static final List<HookDialect> ALL = List.of(
            new OpencodeDialect(),
            new CursorDialect(),
            new GeminiDialect(),
            new VscodeDialect(),
            new CopilotDialect(),
            new CodexDialect(),
            new KiroDialect(),
            new HookDialect(
                    "claude",
                    Map.of(
                            "PreToolUse", Type.BEFORE,
                            "PostToolUseFailure", Type.FAILED,
                            "PostToolUse", Type.ENDED,
                            "UserPromptSubmit", Type.PROMPT,
                            "Stop", Type.STOPPED,
                            "SessionEnd", Type.STOPPED)));

    private static final JsonFactory JSON = new JsonFactory();
    /** An id of this length or longer is one that no other call of the session has. */
    private static final int MIN_ID_CHARS = 16;
    /** So is a shorter one that ends in a part of this length with digits: {@code toolu_00012}, not {@code call_1}. */
    private static final int MIN_NUMBER_CHARS = 5;

    private final String agent;
    private final Map<String, Type> types;

    /**
     * @param agent the name of the agent as an option
     * @param types the names of the events that matter
     */
    HookDialect(String agent, Map<String, Type> types) {
        this.agent = agent;
        this.types = Map.copyOf(types);
    }

    /** The names of all agents, in alphabetical order. */
    public static List<String> agents() {
        return ALL.stream().map(HookDialect::agent).sorted().toList();
    }

    /**
     * The dialect of an agent.
     *
     * @throws IOException if there is none; the message lists the known ones
     */
    public static HookDialect of(String agent) throws IOException {
        for (HookDialect dialect : ALL) {
            if (dialect.agent.equals(agent)) {
                return dialect;
            }
        }
        throw new IOException("unknown agent \"" + agent + "\", use one of " + String.join(", ", agents()));
    }

    /**
     * The dialect that an event is written in, by its members.
     *
     * @throws IOException if no dialect has these members
     */
    public static HookDialect of(EventFields event) throws IOException {
        for (HookDialect dialect : ALL) {
            if (dialect.recognizes(event)) {
                return dialect;
            }
        }
        throw new IOException(
                "the event is not from a known agent; name it with --agent, one of " + String.join(", ", agents()));
    }

    public String agent() {
        return agent;
    }

    /** Whether the event has members that tell this agent from the agents of the dialects after it. */
    boolean recognizes(EventFields event) {
        return event.has("hook_event_name");
    }

    /** Reads an event. */
    public HookEvent read(EventFields event) throws IOException {
        String name = name(event);
        Type type = types.getOrDefault(name, Type.OTHER);
        String tool = event.text("tool_name", "toolName");
        return new HookEvent(
                type,
                name,
                event.text("session_id", "sessionId", "conversation_id"),
                tool,
                event.text("tool_input", "toolArgs"),
                isForeign(tool, event),
                callId(event),
                type == Type.FAILED || type == Type.ENDED ? response(event, type) : ToolResponse.NONE,
                event.text("prompt"),
                event.text("transcript_path"));
    }

    /** The id of a call; empty if another call of the session may have it, such as "call_1". */
    private static String callId(EventFields event) {
        String id = event.text("tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "callID");
        String number = id.substring(Math.max(id.lastIndexOf('_'), id.lastIndexOf('-')) + 1);
        boolean unique = id.length() >= MIN_ID_CHARS
                || id.length() >= 2 * MIN_NUMBER_CHARS - 1
                        && number.length() >= MIN_NUMBER_CHARS
                        && number.chars().anyMatch(Character::isDigit);
        return unique ? id : "";
    }

    /** The agent's own name of the event. */
    String name(EventFields event) {
        return event.text("hook_event_name");
    }

    /** Whether the tool is not the agent's own. */
    boolean isForeign(String tool, EventFields event) {
        return tool.startsWith("mcp__");
    }

    /** The result of a call: an error, or a response that may be one. */
    ToolResponse response(EventFields event, Type type) throws IOException {
        ToolResponse response =
                ToolResponse.of(type == Type.FAILED ? event.text("error") : event.text("tool_response"));
        return event.text("is_interrupt").equals("true") ? response.interrupted() : response;
    }

    /** The output that shows a text to the model; empty if the agent reads none at this event. */
    public String context(HookEvent event, String text) throws IOException {
        return json(out -> {
            out.writeObjectFieldStart("hookSpecificOutput");
            out.writeStringField("hookEventName", event.name());
            out.writeStringField("additionalContext", text);
            out.writeEndObject();
        });
    }

    /** The output that shows a text to the user in place of the model's answer; empty if there is none. */
    public String reply(String text) throws IOException {
        return json(out -> {
            out.writeStringField("decision", "block");
            out.writeStringField("reason", text);
        });
    }

    /** The exit code of a hook that has output for the event. Never anything but 0 before a call. */
    public int exitCode(HookEvent event) {
        return 0;
    }

    interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    static String json(Body body) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            body.write(out);
            out.writeEndObject();
        }
        return text.toString();
    }
}
