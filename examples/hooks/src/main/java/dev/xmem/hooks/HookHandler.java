package dev.xmem.hooks;

import static dev.xmem.Entry.Kind.DIRECTIVE;

import dev.xmem.Advice;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.hooks.dialect.HookDialect;
import dev.xmem.hooks.dialect.HookEvent;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Handles the hook events of a coding agent. Each event is handled by its own process; the guards of all of them share
 * the session.
 */
final class HookHandler {
    private static final int RULES = 7;
    private static final String OFFER = "(yes/no)";

    private final XMemStore store;
    private final HookDialect dialect;
    private @Nullable Advice advice;

    HookHandler(XMemStore store, HookDialect dialect) {
        this.store = store;
        this.dialect = dialect;
    }

    /** The advice on the last event; null if the guard was not asked. */
    @Nullable Advice advice() {
        return advice;
    }

    private String text(Advice given) {
        advice = given;
        return given.text();
    }

    /** Handles an event. */
    HookResult answer(HookEvent event) throws IOException {
        return switch (event.type()) {
            case BEFORE -> context(event, text(store.guard().before(event.call())));
            case FAILED -> failed(event);
            case ENDED -> ended(event);
            case PROMPT -> prompted(event);
            case STOPPED -> HookResult.silent("");
            case OTHER -> HookResult.silent("no effect of the event \"" + event.name() + "\" of " + dialect.agent());
        };
    }

    private HookResult failed(HookEvent event) throws IOException {
        ToolResponse response = event.response();
        return response.isInterrupted()
                ? HookResult.silent("")
                : context(event, text(store.guard().failed(event.call(), response.error(false))));
    }

    /** A call that the agent does not report as a failure; the guard decides whether its output agrees. */
    private HookResult ended(HookEvent event) throws IOException {
        ToolResponse response = event.response();
        if (response.isInterrupted()) {
            return HookResult.silent("");
        }
        if (event.hasTellingOutput() || response.exitCode() != null) {
            return context(event, text(store.guard().failed(event.call(), response.error(true))));
        }
        store.guard().succeeded(event.call());
        return HookResult.silent("");
    }

    private HookResult prompted(HookEvent event) throws IOException {
        String prompt = event.prompt();
        if (prompt.strip().startsWith("/xmem:")) {
            return result(event, dialect.reply(answer(prompt, event.session())));
        }
        Page rules = store.search(Query.words(prompt).kind(DIRECTIVE).limit(RULES));
        String advice = text(store.guard().userSaid(event.session(), prompt)).strip();
        return context(event, advice + '\n' + (rules.matches().isEmpty() ? "" : rules.text()));
    }

    /**
     * Executes a slash command. The answer to an offer would reach another process, so the hook answers an
     * offer with {@code yes} itself.
     */
    private String answer(String command, String session) {
        SlashCommands commands = SlashCommands.on(store);
        String answer = commands.execute(command, session).text();
        return answer.endsWith(OFFER) ? commands.execute("yes", session).text() : answer;
    }

    private HookResult context(HookEvent event, String text) throws IOException {
        return text.isBlank() ? HookResult.silent("") : result(event, dialect.context(event, text.strip()));
    }

    private HookResult result(HookEvent event, String output) {
        return HookResult.said(dialect.exitCode(event), output);
    }
}
