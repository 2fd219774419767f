package dev.xmem.hooks;

import dev.xmem.Advice;
import dev.xmem.ToolGuard.Step;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.dialect.EventFields;
import dev.xmem.hooks.dialect.HookDialect;
import dev.xmem.hooks.dialect.HookEvent;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains what a hook would answer to an event, step by step, and why. Opens the store read-only. */
public final class HookExplanation {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<Step> steps = new ArrayList<>();

    private HookExplanation() {}

    /**
     * Explains the answer to an event as if it came now; records nothing and changes no file.
     *
     * @param directory the directory of the store
     * @param event the JSON of the event
     * @param agent the agent; null to recognize it by the members of the event
     * @throws IOException if the event is not JSON, or is of no known agent
     */
    public static List<Step> of(Path directory, byte[] event, @Nullable String agent) throws IOException {
        HookExplanation explanation = new HookExplanation();
        EventFields fields = EventFields.read(event);
        HookDialect dialect = agent == null ? HookDialect.of(fields) : HookDialect.of(agent);
        explanation.add("dialect", dialect.agent() + (agent == null ? recognizedBy(fields, dialect) : ", as named"));
        try (XMemStore store = XMem.builder(directory)
                .guardLimit(LIMIT)
                .sharedSessions()
                .readOnly()
                .open()) {
            HookEvent read = dialect.read(fields);
            explanation.explain(store, read);
            List<String> arguments = List.of("--agent", dialect.agent());
            explanation.answer(dialect.agent(), HookService.answer(store, event, arguments));
        }
        return List.copyOf(explanation.steps);
    }

    private void add(String name, String text) {
        steps.add(new Step(name, text));
    }

    /** The members without which the event would not be of this dialect. */
    private static String recognizedBy(EventFields fields, HookDialect dialect) {
        List<String> deciding = new ArrayList<>();
        for (String name : fields.names()) {
            try {
                if (HookDialect.of(fields.without(name)) != dialect) {
                    deciding.add(name);
                }
            } catch (IOException e) {
                deciding.add(name);
            }
        }
        return ", recognized by " + (deciding.isEmpty() ? "several members" : String.join(", ", deciding));
    }

    private void explain(XMemStore store, HookEvent event) throws IOException {
        String name = event.name().isEmpty() ? "an event without a name" : event.name();
        switch (event.type()) {
            case BEFORE -> {
                add("event", name + ": a tool is about to be called");
                steps.addAll(store.guard().explain(event.call(), null));
            }
            case FAILED, ENDED -> ended(store, event, name);
            case PROMPT -> add("event", name + ": the user sent a message");
            case OTHER -> add("event", name + ": has no effect");
        }
    }

    private void ended(XMemStore store, HookEvent event, String name) throws IOException {
        boolean failed = event.type() == HookEvent.Type.FAILED;
        ToolResponse response = event.response();
        add("event", name + (failed ? ": a call failed" : ": a call ended, and its result shows how"));
        if (response.isInterrupted()) {
            add("result", "interrupted: the user stopped or refused the call, so nothing is done");
        } else if (failed || event.hasTellingOutput() || response.exitCode() != null) {
            steps.addAll(store.guard().explain(event.call(), response.error(!failed)));
        } else {
            add(
                    "result",
                    "succeeded: the agent reports no failure, and the output of " + event.tool()
                            + " is not examined, since it is neither a command nor a tool of another server");
        }
    }

    private void answer(String agent, HookResult result) {
        HookTrace.Draft draft = result.trace();
        Advice advice = draft == null ? null : draft.advice();
        String why = advice == null ? result.err().strip() : advice.reason();
        if (!result.out().isEmpty()) {
            String tokens = advice == null || advice.isEmpty() ? "" : ", " + advice.tokens() + " tokens";
            add("answer", "told" + tokens + (why.isEmpty() ? "" : ": " + why));
            add("output", result.out().strip());
        } else if (advice != null && !advice.isEmpty()) {
            add("answer", "nothing: there is advice, but " + agent + " shows the model nothing at this event");
            add("output", advice.text().strip());
        } else {
            add("answer", "nothing" + (why.isEmpty() ? "" : ": " + why));
        }
    }
}
