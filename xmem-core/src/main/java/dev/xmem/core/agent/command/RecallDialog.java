package dev.xmem.core.agent.command;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.agent.guard.TrivialFailures;
import dev.xmem.core.answer.render.EntryText;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.RelativeTime;
import dev.xmem.core.answer.render.TextSanitizer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proactive recall of the X-MEM protocol. A known failure is offered for review, and shown with a suggestion if the
 * user answers yes; a new one is offered for recording. Thread-safe.
 */
final class RecallDialog {
    private static final int CARD_CHARS = 4000;
    private static final int NAME_CHARS = 200;
    private static final Pattern WITH_COMMAND =
            Pattern.compile("^(.{0,200}?)\\s*(?:with|by|using|:)?\\s*['`]([^'`]{2,120})['`]");

    private final XMemStore store;
    private final InstantSource clock;
    private final OpenQuestions questions;

    RecallDialog(XMemStore store, InstantSource clock, OpenQuestions questions) {
        this.store = store;
        this.clock = clock;
        this.questions = questions;
    }

    /** Recalls a failure and makes an offer; a trivial failure is neither reviewed nor recorded. */
    CommandResult recall(Map<String, String> values, String session) {
        String tool = required(values, "tool");
        String error = required(values, "error");
        String action = values.getOrDefault("action", values.getOrDefault("command", ""));
        ToolCall call = ToolCall.of(tool, action).session(session);
        ToolError toolError = toolError(values, error);
        String trivial = TrivialFailures.reason(call, toolError);
        if (trivial != null) {
            questions.close(session);
            return CommandResult.ok("Nothing to record: " + TextSanitizer.line(trivial, NAME_CHARS) + ".");
        }
        Advice advice = store.recall(call, toolError);
        List<Match> failures = advice.matches().stream()
                .filter(m -> m.entry() instanceof Failure)
                .toList();
        if (failures.isEmpty()) {
            Map<String, String> known = Map.of("tool", tool, "command", action, "error", error);
            questions.offer(session, answer -> reply(answer, () -> RecordCommand.FAILURE.text(known)));
            return CommandResult.ok("Record this failure in X-MEM for future sessions? (yes/no)");
        }
        questions.offer(session, answer -> reply(answer, () -> card(failures.get(0))));
        return CommandResult.ok(reviewOffer(failures));
    }

    private static ToolError toolError(Map<String, String> values, String error) {
        String code = values.getOrDefault("exit_code", "");
        try {
            return code.isEmpty() ? ToolError.text(error) : ToolError.exit(Integer.parseInt(code), error);
        } catch (NumberFormatException e) {
            throw new XMemException.Invalid("exit_code", "must be a whole number, not \"" + code + "\".");
        }
    }

    private static String required(Map<String, String> values, String key) {
        String value = values.getOrDefault(key, "");
        if (value.isBlank()) {
            throw new XMemException.Invalid(key, "is missing.");
        }
        return value;
    }

    private String reviewOffer(List<Match> failures) {
        Instant newest = failures.stream()
                .map(m -> m.entry().ts())
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        String count = Plural.of(failures.size(), "previous failure");
        String age = RelativeTime.of(newest, clock.instant());
        return "🔍 I found " + count + " with this tool (" + (failures.size() == 1 ? age : "last " + age) + ").\n\n"
                + "Would you like to review? (yes/no)";
    }

    /** Handles an answer to an offer; null if the text is neither yes nor no. */
    private static @Nullable CommandResult reply(String text, Supplier<String> offered) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "yes", "y" -> CommandResult.ok(offered.get());
            case "no", "n" -> CommandResult.ok("Understood.");
            default -> null;
        };
    }

    private String card(Match match) {
        String card = EntryText.of(Query.Layout.CARDS, clock.instant()).whole(match);
        String suggestion = match.entry() instanceof Failure failure ? suggestion(failure.patternAvoid()) : "";
        String text = TextSanitizer.cut(card, CARD_CHARS) + suggestion;
        return Fence.aroundPage(text, Set.of(match.entry().kind()), text).strip();
    }

    /** The advice as a suggestion: a command that it names comes first, its purpose second. */
    private static String suggestion(@Nullable String advice) {
        if (advice == null || advice.isBlank()) {
            return "";
        }
        String line = TextSanitizer.said(advice, 300);
        Matcher command = WITH_COMMAND.matcher(line);
        if (line.startsWith("“") || !command.find() || command.group(1).isBlank()) {
            return "\n\n💡 Suggestion: " + line;
        }
        String purpose = command.group(1);
        return "\n\n💡 Suggestion: Run '" + command.group(2) + "' to "
                + purpose.substring(0, 1).toLowerCase(Locale.ROOT) + purpose.substring(1);
    }
}
