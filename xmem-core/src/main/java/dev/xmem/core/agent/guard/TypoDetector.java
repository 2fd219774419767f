package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.hash.CommandLine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells mistyped commands from those that are missing. Stateless; the rules are in {@code trivial.txt}. */
final class TypoDetector {
    private static final Set<String> COMMANDS = TrivialFailures.words("commands");
    private static final List<String> NO_SUCH_COMMAND = TrivialFailures.rules("no-such-command");
    private static final List<String> NO_SUCH_OPERATION = TrivialFailures.rules("no-such-operation");
    private static final int MOST_CHARS = 2048;
    private static final int MOST_NAME_CHARS = 40;

    private TypoDetector() {}

    /** Whether the failure says that there is no such command, and it is no command that is known. */
    static boolean isUnknownCommand(ToolCall call, ToolError error) {
        String text = lower(error.text());
        String tool = CommandLine.of(call.tool(), call.action()).tool();
        return !COMMANDS.contains(tool)
                && contains(NO_SUCH_COMMAND, text)
                && (text.contains(tool) || text.contains(call.tool().toLowerCase(Locale.ROOT)));
    }

    /** Why a failure is a slip of the finger; null if it is none. */
    static @Nullable String reason(ToolCall call, ToolError error, Set<String> usedTools) {
        CommandLine.Call parsed = CommandLine.of(call.tool(), call.action());
        if (isUnknownCommand(call, error)) {
            String meant = meant(parsed.tool(), COMMANDS);
            meant = meant == null ? meant(parsed.tool(), usedTools) : meant;
            return meant == null ? null : "it was mistyped for " + meant;
        }
        return operationReason(parsed, lower(error.text()));
    }

    /** The tool does not know the operation, and names one that is like it. */
    private static @Nullable String operationReason(CommandLine.Call call, String text) {
        if (!contains(NO_SUCH_OPERATION, text)) {
            return null;
        }
        for (String word : call.words()) {
            String given = word.toLowerCase(Locale.ROOT);
            String meant = text.contains(given) ? meant(given, words(text)) : null;
            if (meant != null) {
                return "it was mistyped for " + meant;
            }
        }
        return null;
    }

    private static Set<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            boolean inside = i < text.length() && (Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '-');
            if (!inside) {
                if (i - from > 2) {
                    words.add(text.substring(from, i));
                }
                from = i + 1;
            }
        }
        return words;
    }

    /** The name among these that was probably meant; null if none was. */
    private static @Nullable String meant(String typed, Set<String> names) {
        String best = null;
        for (String name : names) {
            if (isNear(typed, name) && (best == null || name.compareTo(best) < 0)) {
                best = name;
            }
        }
        return best;
    }

    /**
     * Whether two different names are a slip of the finger apart: two neighbouring letters changed over, or one letter, of
     * names of seven letters and more two letters, too many, missing or another.
     */
    static boolean isNear(String typed, String name) {
        int longest = Math.max(typed.length(), name.length());
        if (typed.equals(name) || longest > MOST_NAME_CHARS || Math.abs(typed.length() - name.length()) > 2) {
            return false;
        }
        if (isTransposed(typed, name)) {
            return true;
        }
        int allowed = longest < 4 ? 0 : longest < 7 ? 1 : 2;
        return distance(typed, name) <= allowed;
    }

    private static boolean isTransposed(String a, String b) {
        if (a.length() != b.length()) {
            return false;
        }
        int i = 0;
        while (i < a.length() && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        return i + 1 < a.length()
                && a.charAt(i) == b.charAt(i + 1)
                && a.charAt(i + 1) == b.charAt(i)
                && a.startsWith(b.substring(i + 2), i + 2);
    }

    /** How many letters have to be put in, taken out, replaced, or changed over with their neighbour. */
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
        return CallTruncation.head(text, MOST_CHARS).toLowerCase(Locale.ROOT);
    }

    private static boolean contains(List<String> parts, String text) {
        return parts.stream().anyMatch(text::contains);
    }
}
