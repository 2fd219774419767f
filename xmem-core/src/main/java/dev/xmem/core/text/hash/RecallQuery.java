package dev.xmem.core.text.hash;

import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.spi.ContextHash;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a query of recall.
 *
 * @param hash the context hash of the failure
 * @param text the excerpt of its error, redacted
 * @param tool the tool of the call that failed
 * @param action the action of the call, redacted
 */
public record RecallQuery(ContextHash hash, String text, String tool, String action) {
    /** The member of the parameters of a recorded retry with the values that its failure named. */
    public static final String ABOUT = "about";

    /** What the name of a recorded retry begins with if only the calls before it were new. */
    public static final String FIRST = "first ";

    private static final String RETRY = "retry";
    private static final String CUT = "…";
    private static final String SHELL = "bash";

    /** The options of interpreters for a program that is the next word. */
    private static final Set<String> CODE_OPTIONS = Set.of("-c", "-e");

    private static final Pattern NAME =
            Pattern.compile("[\\p{L}\\p{Nd}_./~@:+][\\p{L}\\p{Nd}_./~@:+#%,-]*+(?:[=<>~]=[\\p{L}\\p{Nd}_.*+-]*+)?+");

    private static final Pattern OPTION = Pattern.compile("--?[A-Za-z][A-Za-z-]+");

    /** A longer word is a program; an expression of this length, such as a filter of jq, says something in general. */
    private static final int MAX_EXPRESSION_CHARS = 80;

    /**
     * The values of a fix that a failure named, for the member {@value #ABOUT} of the parameters of a recorded retry.
     *
     * @param fix the words that the fix added
     * @param evidence the excerpt of the failure's error
     * @param subject what the failure is about; empty if that is not known
     * @param destroys whether the fix destroys something: then it is also about what only the call named
     */
    public static List<String> about(
            List<String> fix, Failure failure, String evidence, String subject, boolean destroys) {
        String text = text(evidence, failure.tool(), failure.action());
        return FixValues.named(fix, subject, text, destroys ? text : evidence + '\n' + subject);
    }

    /** Whether a step deletes, overwrites, stops or opens something. */
    public static boolean destroys(String step) {
        return FixValues.destroys(step);
    }

    /**
     * The words of a failure and its call.
     *
     * @param inOrder with an empty word at the beginning and at the end of each line
     */
    public record Words(List<String> inOrder, Set<String> all) {
        public Words {
            inOrder = List.copyOf(inOrder);
            all = Set.copyOf(all);
        }

        static Words of(String text) {
            List<String> words = FixValues.words(text);
            return new Words(words, new HashSet<>(words));
        }
    }

    /** Whether a recorded retry is about something that its failure named. */
    public static boolean isAboutOne(Success success) {
        return !about(success).isEmpty();
    }

    /** Whether a failure names all that a recorded retry is about. */
    public static boolean isAbout(Success retry, Failure failure, String evidence) {
        Map<String, String> others =
                FixValues.others(about(retry), "", Words.of(text(evidence, failure.tool(), failure.action())));
        return others != null && others.isEmpty();
    }

    /** A call as a command line; JSON arguments follow the name of their tool. */
    public static String line(String tool, String action) {
        String script = CommandLine.script(tool, action);
        String line = script == null ? action.strip() : script.strip();
        boolean whole = script != null || !line.startsWith("{") && hasCommand(line, tool);
        return line.isEmpty() ? tool : whole ? line : tool + ' ' + line;
    }

    /** Whether an action is a whole command line, such as a pipeline: one of its commands is the tool. */
    private static boolean hasCommand(String line, String tool) {
        if (line.startsWith(tool + ' ') || line.contains(' ' + tool + ' ') || line.contains("/" + tool + ' ')) {
            return true;
        }
        // The last word is a command only behind another one: not in "pip install --upgrade pip".
        String before = line.endsWith(tool)
                ? line.substring(0, line.length() - tool.length()).stripTrailing()
                : "-";
        return before.isEmpty() || before.endsWith("&") || before.endsWith("|") || before.endsWith(";");
    }

    /** The words of the failure and its call. */
    public Words words() {
        return Words.of(text(text, tool, action));
    }

    /**
     * What this failure has in the place of the values that a recorded retry is about; empty if the retry is about
     * nothing else, null if it cannot be carried over.
     *
     * @param words those of this failure
     */
    public @Nullable Map<String, String> carriesOver(Success retry, Words words) {
        return FixValues.others(about(retry), hash.subject(), words);
    }

    /** A text of a recorded retry with other values; null if it has one of the values as a part of a word. */
    public static @Nullable String replaced(String text, Map<String, String> values) {
        return FixValues.replaced(text, values);
    }

    private static List<String> about(Success success) {
        String params = isMarkedAsRetry(success) ? success.criticalParams() : "";
        return params.contains(ABOUT) ? JsonCall.members(params).getOrDefault(ABOUT, List.of()) : List.of();
    }

    private static String text(String evidence, String tool, String action) {
        return String.join("\n", evidence, action, tool);
    }

    /** Whether a success has the mark of a recorded retry; any other is neither a retry nor no advice. */
    public static boolean isMarkedAsRetry(Success success) {
        return success.tags().contains(RETRY);
    }

    /** Whether a success is a recorded retry of a single step: its change alone made the call work. */
    public static boolean isRetry(Success success) {
        return isMarkedAsRetry(success) && success.keySteps().size() < 2;
    }

    /**
     * Whether a recorded retry is no advice for a call. Decision: docs/adr/0053-fixes-that-a-call-has.md.
     *
     * <ul>
     *   <li>The call has the change already: every word or member that a retry of a single step added, and none that
     *       it removed.
     *   <li>The change is about other values: the retry replaced operands by operands, such as one file by another, or
     *       members of JSON arguments, and the call does not have all that it replaced.
     * </ul>
     */
    public static boolean isNoAdvice(Success retry, String tool, String action) {
        Map<String, List<String>> change = isMarkedAsRetry(retry) ? JsonCall.members(retry.criticalParams()) : Map.of();
        List<String> added = change.getOrDefault("added", List.of());
        List<String> removed = change.getOrDefault("removed", List.of());
        if (added.isEmpty() && removed.isEmpty()) {
            return false;
        }
        Set<String> parts = new HashSet<>();
        CommandLine.works(tool, action).forEach(work -> parts.addAll(work.all()));
        List<String> replaced = removed.stream().filter(RecallQuery::isOperand).toList();
        if (parts.isEmpty()) {
            parts.addAll(JsonCall.parts(action));
            if (!added.isEmpty() && !removed.stream().allMatch(part -> part.contains(": {") || has(parts, part))) {
                return true;
            }
        } else if (!replaced.isEmpty()
                && (added.stream().anyMatch(CODE_OPTIONS::contains)
                        || added.stream()
                                .allMatch(part ->
                                        isOperand(part) || replaced.stream().anyMatch(part::contains)))
                && !replaced.stream().allMatch(part -> has(parts, part))
                && added.stream().noneMatch(part -> isOptionValue(retry, part))) {
            return true;
        }
        return isRetry(retry)
                && added.stream().allMatch(part -> has(parts, part))
                && removed.stream().noneMatch(part -> has(parts, part));
    }

    /** Whether a part of a call is a value: a name, a path or a number, or a whole program for an interpreter. */
    private static boolean isOperand(String part) {
        return NAME.matcher(part).matches() || part.length() > MAX_EXPRESSION_CHARS;
    }

    /** Whether a part is the value of an option that is more than a letter: {@code -cp classes} says what to do. */
    private static boolean isOptionValue(Success retry, String part) {
        List<String> steps = retry.keySteps();
        return !steps.isEmpty()
                && CommandLine.works(SHELL, steps.get(steps.size() - 1)).stream()
                        .map(CommandLine.Work::written)
                        .anyMatch(words -> words.indexOf(part) > 0
                                && OPTION.matcher(words.get(words.indexOf(part) - 1))
                                        .matches());
    }

    /** Whether a call has a part, which may be cut off after a number of characters. */
    private static boolean has(Set<String> parts, String part) {
        String head = part.endsWith(CUT) ? part.substring(0, part.length() - 1) : null;
        return parts.contains(part) || head != null && parts.stream().anyMatch(own -> own.startsWith(head));
    }
}
