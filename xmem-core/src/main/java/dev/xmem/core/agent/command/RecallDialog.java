package dev.xmem.core.agent.command;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.EntryText;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.RelativeTime;
import dev.xmem.core.answer.render.TextSanitizer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proactive recall of the X-MEM protocol. A known failure is offered for review, and shown with a suggestion if the
 * user answers yes; a new one is offered for recording. Thread-safe; keeps the open offers of at most 1,000 sessions.
 */
final class RecallDialog {
    private static final int MAX_SESSIONS = 1000;
    private static final int CARD_CHARS = 4000;
    private static final Pattern WITH_COMMAND =
            Pattern.compile("^(.{0,200}?)\\s*(?:with|by|using|:)?\\s*['`]([^'`]{2,120})['`]");

    private final XMemStore store;
    private final InstantSource clock;
    private final Map<String, Offer> offers = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Offer> eldest) {
            return size() > MAX_SESSIONS;
        }
    });

    RecallDialog(XMemStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * An open offer.
     *
     * @param match the failure to show; null if the offer is to record
     * @param values the known answers of the form
     */
    private record Offer(@Nullable Match match, Map<String, String> values) {}

    /** Recalls a failure and makes an offer. */
    CommandResult recall(Map<String, String> values, String session) {
        String tool = required(values, "tool");
        String error = required(values, "error");
        String action = values.getOrDefault("action", values.getOrDefault("command", ""));
        ToolCall call = ToolCall.json(tool, action).session(session);
        Advice advice = store.recall(call, toolError(values, error));
        List<Match> failures = advice.matches().stream()
                .filter(m -> m.entry() instanceof Failure)
                .toList();
        if (failures.isEmpty()) {
            offers.put(session, new Offer(null, Map.of("tool", tool, "command", action, "error", error)));
            return CommandResult.ok("Record this failure in X-MEM for future sessions? (yes/no)");
        }
        offers.put(session, new Offer(failures.get(0), Map.of()));
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

    /** Handles an answer to an offer; any other text leaves the offer open. */
    CommandResult reply(String text, String session) {
        String answer = text.toLowerCase(Locale.ROOT);
        boolean no = answer.equals("no") || answer.equals("n");
        Offer offer = no || answer.equals("yes") || answer.equals("y") ? offers.remove(session) : null;
        if (offer == null) {
            return CommandResult.refused("A command begins with /xmem: and a name; /xmem:help lists them.");
        }
        if (no) {
            return CommandResult.ok("Understood.");
        }
        return CommandResult.ok(offer.match == null ? RecordCommand.FAILURE.text(offer.values) : card(offer.match));
    }

    private String card(Match match) {
        String card = EntryText.of(Query.Layout.CARDS, clock.instant()).whole(match);
        String suggestion = match.entry() instanceof Failure failure ? suggestion(failure.patternAvoid()) : "";
        return TextSanitizer.cut(card, CARD_CHARS) + suggestion;
    }

    /** The advice as a suggestion: a command that it names comes first, its purpose second. */
    private static String suggestion(@Nullable String advice) {
        if (advice == null || advice.isBlank()) {
            return "";
        }
        String line = TextSanitizer.line(advice, 300);
        Matcher command = WITH_COMMAND.matcher(line);
        if (!command.find() || command.group(1).isBlank()) {
            return "\n\n💡 Suggestion: " + line;
        }
        String purpose = command.group(1);
        return "\n\n💡 Suggestion: Run '" + command.group(2) + "' to "
                + purpose.substring(0, 1).toLowerCase(Locale.ROOT) + purpose.substring(1);
    }
}
