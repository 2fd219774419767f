package dev.xmem.hooks;

import static dev.xmem.Entry.Kind.DIRECTIVE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import java.io.IOException;
import java.io.StringWriter;

/**
 * Handles the hook events of a coding agent. Each event is handled by its own process; the guards of all of them share
 * the session.
 */
final class HookHandler {
    private static final int RULES = 7;
    private static final String OFFER = "(yes/no)";
    private static final JsonFactory JSON = new JsonFactory();

    private final XMemStore store;

    HookHandler(XMemStore store) {
        this.store = store;
    }

    /**
     * Handles an event.
     *
     * @return the response in the agent's JSON; empty if there is none
     */
    String answer(HookEvent event) throws IOException {
        return switch (event.name()) {
            case "PreToolUse" ->
                context(event, store.guard().before(event.call()).text());
            case "PostToolUseFailure" -> failed(event);
            case "PostToolUse" -> worked(event);
            case "UserPromptSubmit" -> prompted(event);
            default -> "";
        };
    }

    private String failed(HookEvent event) throws IOException {
        ToolResponse error = event.error();
        return event.isInterrupt() || error.isInterrupted()
                ? ""
                : context(
                        event,
                        store.guard().failed(event.call(), error.error(false)).text());
    }

    /** A call that the agent reports as a success; the guard decides whether its output agrees. */
    private String worked(HookEvent event) throws IOException {
        ToolResponse response = event.response();
        if (event.isInterrupt() || response.isInterrupted()) {
            return "";
        }
        if (event.hasTellingOutput() || response.exitCode() != null) {
            return context(
                    event,
                    store.guard().failed(event.call(), response.error(true)).text());
        }
        store.guard().succeeded(event.call());
        return "";
    }

    private String prompted(HookEvent event) throws IOException {
        String prompt = event.prompt();
        if (prompt.strip().startsWith("/xmem:")) {
            String answer = answer(prompt, event.session());
            return json(out -> {
                out.writeStringField("decision", "block"); // the command is answered; the model does not see it
                out.writeStringField("reason", answer);
            });
        }
        Page rules = store.search(Query.words(prompt).kind(DIRECTIVE).limit(RULES));
        String advice = store.guard().userSaid(event.session(), prompt).text().strip();
        return context(event, advice + '\n' + (rules.matches().isEmpty() ? "" : rules.text()));
    }

    /**
     * Executes a slash command. The program that would hear the answer to an offer is another process, so the hook
     * shows at once what the answer {@code yes} leads to.
     */
    private String answer(String command, String session) {
        SlashCommands commands = SlashCommands.on(store);
        String answer = commands.execute(command, session).text();
        return answer.endsWith(OFFER) ? commands.execute("yes", session).text() : answer;
    }

    private static String context(HookEvent event, String text) throws IOException {
        return text.isBlank()
                ? ""
                : json(out -> {
                    out.writeObjectFieldStart("hookSpecificOutput");
                    out.writeStringField("hookEventName", event.name());
                    out.writeStringField("additionalContext", text.strip());
                    out.writeEndObject();
                });
    }

    private interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    private static String json(Body body) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            body.write(out);
            out.writeEndObject();
        }
        return text.toString();
    }
}
