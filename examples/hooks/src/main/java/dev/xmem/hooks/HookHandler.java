package dev.xmem.hooks;

import static dev.xmem.Entry.Kind.DIRECTIVE;

import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.hooks.dialect.HookDialect;
import dev.xmem.hooks.dialect.HookEvent;
import dev.xmem.hooks.dialect.ToolResponse;
import java.io.IOException;

/**
 * Handles the hook events of a coding agent. Each event is handled by its own process; the guards of all of them share
 * the session.
 */
final class HookHandler {
    private static final int RULES = 7;
    private static final String OFFER = "(yes/no)";

    private final XMemStore store;
    private final HookDialect dialect;

    HookHandler(XMemStore store, HookDialect dialect) {
        this.store = store;
        this.dialect = dialect;
    }

    /** Handles an event. */
    HookResult answer(HookEvent event) throws IOException {
        return switch (event.type()) {
            case BEFORE -> context(event, store.guard().before(event.call()).text());
            case FAILED -> failed(event);
            case ENDED -> ended(event);
            case PROMPT -> prompted(event);
            case OTHER -> HookResult.silent("no effect of the event \"" + event.name() + "\" of " + dialect.agent());
        };
    }

    private HookResult failed(HookEvent event) throws IOException {
        ToolResponse response = event.response();
        return response.isInterrupted()
                ? HookResult.silent("")
                : context(
                        event,
                        store.guard()
                                .failed(event.call(), response.error(false))
                                .text());
    }

    /** A call that the agent does not report as a failure; the guard decides whether its output agrees. */
    private HookResult ended(HookEvent event) throws IOException {
        ToolResponse response = event.response();
        if (response.isInterrupted()) {
            return HookResult.silent("");
        }
        if (event.hasTellingOutput() || response.exitCode() != null) {
            return context(
                    event,
                    store.guard().failed(event.call(), response.error(true)).text());
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

    private HookResult context(HookEvent event, String text) throws IOException {
        return text.isBlank() ? HookResult.silent("") : result(event, dialect.context(event, text.strip()));
    }

    private HookResult result(HookEvent event, String output) {
        return HookResult.said(dialect.exitCode(event), output);
    }
}
