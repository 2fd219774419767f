package dev.xmem.hooks.dialect;

import dev.xmem.ToolCall;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.util.List;

/**
 * An event of a coding agent in the form that all dialects share.
 *
 * @param name the agent's own name of the event
 * @param session the id of the session; empty if the agent has none
 * @param tool the name of the tool; empty for an event without a call
 * @param input the arguments of the call as JSON; a text that is not JSON is the action of the call as it is
 * @param isForeign whether the tool is not the agent's own, such as one of an MCP server
 * @param callId the id of the call; empty if the event has none that tells all calls of a session apart
 * @param response what the tool returned; empty before a call
 * @param prompt the text of the user; empty for an event of another type
 * @param transcript the file in which the agent writes the session; empty if it does not name one
 */
public record HookEvent(
        Type type,
        String name,
        String session,
        String tool,
        String input,
        boolean isForeign,
        String callId,
        ToolResponse response,
        String prompt,
        String transcript) {

    /** What an event reports. */
    public enum Type {
        /** A tool is about to be called. */
        BEFORE,
        /** A call failed. */
        FAILED,
        /** A call ended; its output shows how. */
        ENDED,
        /** The user sent a message. */
        PROMPT,
        /** The agent's turn or session ended; its transcript is complete so far. */
        STOPPED,
        /** Anything else. */
        OTHER
    }

    /** The tool call; a shell call if the tool takes a command line, such as {@code Bash}. */
    public ToolCall call() throws IOException {
        ToolCall call = toolCall(command());
        call = callId.isEmpty() ? call : call.callId(callId);
        return session.isEmpty() ? call : call.session(session);
    }

    private ToolCall toolCall(String command) throws IOException {
        if (command.isBlank()) {
            return ToolCall.json(tool, input.isBlank() ? "{}" : input);
        }
        List<String> argv = command.startsWith("[") ? EventFields.strings(command) : List.of();
        if (argv.size() == 3 && argv.get(1).matches("-l?c")) {
            return ToolCall.shell(argv.get(2));
        }
        return argv.isEmpty() ? ToolCall.shell(command) : ToolCall.command(argv);
    }

    /** The command line of the call; empty if it has none. Codex passes a patch under the same name. */
    private String command() throws IOException {
        return isPatch() ? "" : EventFields.member(input.strip(), "command");
    }

    private boolean isPatch() {
        return tool.equals("apply_patch");
    }

    /** Whether the output of the call shows how it ended: a command, a patch, or a tool that is not the agent's own. */
    public boolean hasTellingOutput() throws IOException {
        return isForeign || isPatch() || !command().isBlank();
    }
}
