package dev.xmem.mcp;

import static dev.xmem.Entry.Kind.DIRECTIVE;
import static dev.xmem.Entry.Kind.FAILURE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Advice;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;

/**
 * Handles the hook events of a coding agent. Each event is handled by its own process, so the state of a session is
 * read from the store.
 */
final class HookHandler {
    private static final int RULES = 7;
    private static final Duration RECENT = Duration.ofHours(1);
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
            case "PostToolUseFailure" ->
                event.isInterrupt() ? "" : context(event, failed(event).text());
            case "PostToolUse" -> worked(event);
            case "UserPromptSubmit" -> prompted(event);
            default -> "";
        };
    }

    private String worked(HookEvent event) throws IOException {
        new RetryDetector(store).worked(event.call());
        return "";
    }

    /** Recalls the failure, and records it if the session has not recorded the same failure within the hour. */
    private Advice failed(HookEvent event) throws IOException {
        ToolCall call = event.call();
        ToolError error = event.error();
        String family = XMem.hasher().hash(HashInput.of(call).error(error)).value();
        Instant now = Instant.now();
        boolean recorded = !event.session().isEmpty()
                && store.search(Query.all()
                                        .kind(FAILURE)
                                        .ctxHash(family)
                                        .session(event.session())
                                        .between(now.minus(RECENT), now.plus(RECENT))
                                        .limit(1))
                                .total()
                        > 0;
        return recorded ? store.recall(call, error) : store.guard().failed(call, error);
    }

    private String prompted(HookEvent event) throws IOException {
        String prompt = event.prompt();
        if (prompt.strip().startsWith("/xmem:")) {
            String answer =
                    SlashCommands.on(store).execute(prompt, event.session()).text();
            return json(out -> {
                out.writeStringField("decision", "block"); // the command is answered; the model does not see it
                out.writeStringField("reason", answer);
            });
        }
        Page rules = store.search(Query.words(prompt).kind(DIRECTIVE).limit(RULES));
        return context(event, rules.matches().isEmpty() ? "" : rules.text());
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
