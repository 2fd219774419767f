package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code xmem recall}: returns advice for failures. */
@Command(
        name = "recall",
        description = {
            "Reads failures, one JSON object per line, and prints what the store knows about similar ones."
                    + " Records nothing.",
            "The user's store ($XMEM_USER_STORE, else xmem in $XDG_DATA_HOME or ~/.local/share) and the team's"
                    + " ($XMEM_TEAM_STORE) are asked too; a match of theirs has a layer, user or team.",
            "An event has tool and action, error or exit_code or both, and may have session_id. The answer"
                    + " has matches, best first; advice, the text to show to the agent, empty if there is none; status"
                    + " (found, nothing_relevant, trivial, withheld, unavailable); and reason, an explanation for"
                    + " people."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  echo '{\"tool\":\"git\",\"action\":\"push origin\",\"error\":\"rejected\",\"exit_code\":1}' |",
            "    xmem --store .xmem-store recall",
            "An invalid line is answered by {\"error\":\"…\"} and reported on stderr; the exit code is then 1."
        })
final class RecallSubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        try (XMemStore store = root.stores().openForReading()) {
            return LineLoop.run(root.terminal(), "recall", true, line -> recalled(store, EventLine.of(line)));
        }
    }

    private static String recalled(XMemStore store, EventLine event) throws LineException {
        String text = event.error();
        Integer exitCode = event.exitCode();
        if (text == null && exitCode == null) {
            throw new LineException("error is missing: give the output of the tool, or exit_code");
        }
        String output = text == null ? "" : text;
        ToolCall call = ToolCall.json(event.tool(), event.action());
        String session = event.session();
        return answer(store.recall(
                session == null ? call : call.session(session),
                exitCode == null ? ToolError.text(output) : ToolError.exit(exitCode, output)));
    }

    private static String answer(Advice advice) {
        return JsonText.object(g -> {
            JsonText.objects(g, "matches", advice.matches(), match -> write(g, match));
            g.writeStringField("advice", advice.text());
            g.writeStringField("status", lower(advice.status()));
            g.writeStringField("reason", advice.reason());
        });
    }

    private static void write(JsonGenerator g, Match match) throws IOException {
        g.writeStringField("id", match.entry().id());
        g.writeStringField("match", lower(match.matchType()));
        g.writeNumberField("score", match.score());
        if (match.layer() != Layer.PROJECT) {
            g.writeStringField("layer", lower(match.layer()));
        }
        if (match.entry() instanceof Failure failure && failure.patternAvoid() != null) {
            g.writeStringField("pattern_avoid", failure.patternAvoid());
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
