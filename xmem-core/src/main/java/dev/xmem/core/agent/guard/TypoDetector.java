package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.hash.CommandLine;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Distinguishes mistyped commands from missing ones. Stateless; the rules are in {@code trivial.txt}. */
final class TypoDetector {
    private static final Set<String> COMMANDS = TrivialFailures.words("commands");
    private static final List<String> NO_SUCH_COMMAND = TrivialFailures.rules("no-such-command");
    private static final List<String> NO_SUCH_OPERATION = TrivialFailures.rules("no-such-operation");
    private static final Pattern NON_WORD = Pattern.compile("[^-\\p{L}\\p{Nd}]+");
    private static final int MIN_WORD_CHARS = 3;
    private static final int MAX_CHARS = 2048;
    private static final int MAX_NAME_CHARS = 40;

    private TypoDetector() {}

    /** Whether the error says that the command does not exist, and the command is not a common one. */
    static boolean isUnknownCommand(ToolCall call, ToolError error) {
        String text = lower(error.text());
        String tool = CommandLine.of(call.tool(), call.action()).tool();
        return !COMMANDS.contains(tool)
                && NO_SUCH_COMMAND.stream().anyMatch(text::contains)
                && (text.contains(tool) || text.contains(call.tool().toLowerCase(Locale.ROOT)));
    }

    /** Why a failure is a typing error; null if it is not. */
    static @Nullable String reason(ToolCall call, ToolError error) {
        CommandLine.Call parsed = CommandLine.of(call.tool(), call.action());
        String meant = isUnknownCommand(call, error)
                ? nearest(parsed.tool(), COMMANDS.stream())
                : intendedOperation(parsed, lower(error.text()));
        return meant == null ? null : "it was mistyped for " + meant;
    }

    /** The operation that was intended, if the tool rejects the operation and names a similar one. */
    private static @Nullable String intendedOperation(CommandLine.Call call, String text) {
        if (NO_SUCH_OPERATION.stream().noneMatch(text::contains)) {
            return null;
        }
        Set<String> names = NON_WORD.splitAsStream(text)
                .filter(name -> name.length() >= MIN_WORD_CHARS)
                .collect(Collectors.toSet());
        for (String word : new LinkedHashSet<>(call.words())) {
            String given = word.toLowerCase(Locale.ROOT);
            String meant = text.contains(given) ? nearest(given, names.stream()) : null;
            if (meant != null) {
                return meant;
            }
        }
        return null;
    }

    /** The alphabetically first name that is near; null if there is none. */
    private static @Nullable String nearest(String typed, Stream<String> names) {
        return names.filter(name -> isNear(typed, name)).min(String::compareTo).orElse(null);
    }

    /**
     * Whether two different names are a typing error apart: an edit distance of 1, or of 2 if a name has seven letters
     * or more. Names of up to three letters may only have two adjacent letters transposed.
     */
    static boolean isNear(String typed, String name) {
        int longest = Math.max(typed.length(), name.length());
        if (typed.equals(name) || longest > MAX_NAME_CHARS || Math.abs(typed.length() - name.length()) > 2) {
            return false;
        }
        return (longest > 3 || sameLetters(typed, name)) && distance(typed, name) <= (longest < 7 ? 1 : 2);
    }

    private static boolean sameLetters(String a, String b) {
        return Arrays.equals(a.chars().sorted().toArray(), b.chars().sorted().toArray());
    }

    /** The optimal string alignment distance: insertions, deletions, substitutions and adjacent transpositions. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(d[i - 1][j - 1] + same, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }

    private static String lower(String text) {
        return CallTruncation.head(text, MAX_CHARS).toLowerCase(Locale.ROOT);
    }
}
