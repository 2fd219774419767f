package dev.xmem.cli;

import dev.xmem.ToolGuard.Step;
import dev.xmem.hooks.HookExplanation;
import dev.xmem.hooks.HookTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem why}: explains the answer of a hook to an event. */
@Command(
        name = "why",
        description = {
            "Explains what a hook would tell a coding agent about an event, and why it would tell that or nothing.",
            "Without --store, the store is that of XMEM_STORE, else that of the hooks in the user's settings, else of"
                    + " those in the project's, else that of other commands. Its path is printed.",
            "Reads the JSON of the event, as the agent sends it, from standard input. Records nothing and changes no"
                    + " file. An entry is one that the answer has, or that was left out, with the reason."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  echo '{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"this again\"}' | xmem why",
            "  xmem why --last"
        })
final class WhySubcommand extends Subcommand {
    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent that sends the event; default: recognized by its members.")
    @Nullable String agent;

    @Option(
            names = "--last",
            description = "Instead of an event: the newest event that could not be answered, else the newest one,"
                    + " as its hook noted it.")
    boolean last;

    @Override
    public Integer call() throws IOException {
        Path store = root.stores().ofHooks();
        int code = Main.OK;
        List<Step> steps = new ArrayList<>();
        try {
            steps.addAll(last ? noted(store) : explained(store));
        } catch (LineException e) {
            code = Main.REFUSED;
            steps.add(new Step("error", String.valueOf(e.getMessage())));
        }
        answer(root.json ? json(steps) : text(steps) + "store: " + store);
        return code;
    }

    private List<Step> explained(Path store) throws IOException, LineException {
        byte[] event = root.terminal().readAll().getBytes(StandardCharsets.UTF_8);
        try {
            return HookExplanation.of(store, event, agent);
        } catch (IOException e) {
            throw new LineException(String.valueOf(e.getMessage()));
        }
    }

    private static List<Step> noted(Path store) throws IOException, LineException {
        List<HookTrace.Event> events = HookTrace.read(store);
        if (events.isEmpty()) {
            throw new LineException("no hook has reported an event to this store; xmem doctor looks for the cause");
        }
        HookTrace.Event event = events.stream()
                .filter(HookTrace.Event::isTrouble)
                .reduce((first, second) -> second)
                .orElse(events.get(events.size() - 1));
        return List.of(
                new Step("time", event.at().toString()),
                new Step("dialect", event.agent().isEmpty() ? "not recognized" : event.agent()),
                new Step("event", event.name() + (event.tool().isEmpty() ? "" : " of " + event.tool())),
                new Step("answer", event.outcome().name().toLowerCase(Locale.ROOT) + ": " + event.reason()),
                new Step("recorded", event.recorded().isEmpty() ? "nothing" : event.recorded()),
                new Step("took", event.millis() + " ms, by " + event.by()));
    }

    private static String text(List<Step> steps) {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            String lines = step.text().replaceAll("[\\p{Cntrl}&&[^\\n]]", " ").replace("\n", "\n    ");
            text.append(step.name()).append(": ").append(lines).append('\n');
        }
        return text.toString();
    }

    private static String json(List<Step> steps) {
        return JsonText.object(g -> {
            JsonText.objects(g, "steps", steps, step -> {
                g.writeStringField("step", step.name());
                g.writeStringField("text", step.text());
            });
        });
    }
}
