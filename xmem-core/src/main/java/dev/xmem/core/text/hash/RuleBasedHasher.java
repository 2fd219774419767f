package dev.xmem.core.text.hash;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The default context hasher. Rule-based, stateless, thread-safe, deterministic and total: equal inputs give equal
 * hashes on every machine, and no input makes it throw.
 *
 * <ul>
 *   <li>A failure is {@code tool-operation-cause}; the operation is left out if a code, a noun or two words tell the
 *       cause, but for some tools such as git.
 *   <li>A success is {@code tool-operation-signature}, or has the first words of its name if it has no signature.
 *   <li>A call that has not happened is {@code tool-operation}.
 * </ul>
 */
public final class RuleBasedHasher implements Excerpt.Hasher {
    /** The pattern of a failure without a cause. */
    static final String UNKNOWN = "failed";

    private static final String UNKNOWN_TOOL = "unknown-tool";
    private static final String REFUSED = "refused-by-user";

    private static final String HTTP_STATUS = "http-[45]\\d\\d";
    private static final int SUCCESS_WORDS = 6;
    private static final int SUCCESS_CHARS = 48;
    private static final int MAX_CHARS = 500;

    /** A hasher; all are equal. */
    public RuleBasedHasher() {}

    @Override
    public String id() {
        return "slug-2";
    }

    @Override
    public ContextHash hash(HashInput input) {
        return hash(input, null, false);
    }

    @Override
    public ContextHash hash(HashInput input, Excerpt excerpt) {
        return hash(input, excerpt, false);
    }

    /** The same hash, with the rule that decided and the line that it matched. */
    public ContextHash explain(HashInput input) {
        return hash(input, null, true);
    }

    /**
     * Whether a hash is of a catch-all family: its failures need not be alike, because nothing in the error told the
     * cause. The pattern is {@code failed}, a weak cause or an HTTP status without a word that tells more, or a cause
     * that only repeats that a command or a test failed.
     * Decision: docs/adr/0035-catch-all-families-and-advice.md.
     */
    public static boolean isCatchAll(ContextHash hash) {
        String pattern = hash.pattern();
        return pattern.equals(UNKNOWN)
                || pattern.startsWith("http-") && pattern.matches(HTTP_STATUS)
                || CauseLexicon.isCatchAll(pattern);
    }

    /**
     * The cause of the lexicon that a hash or a pattern ends with and that tells failures apart; empty if it ends with
     * words of the message.
     */
    public static String causeOf(String hash) {
        return CauseLexicon.causeOf(hash);
    }

    /** Whether a hash of a tool may be of any of its operations, because its cause does not depend on them. */
    public static boolean isOfAnyOperation(String tool, String hash) {
        return !isByOperation(tool) || CauseLexicon.isOfAnyOperation(hash);
    }

    /** Whether most hashes of a tool tell the operation. */
    public static boolean isByOperation(String tool) {
        return ToolTable.isByOperation(tool);
    }

    /** The operation of a failed call if its hash may be of any operation of the tool; else empty. */
    public static String operationBeside(String hash, String tool, String action, String error) {
        CommandLine.Call call = CommandLine.of(tool, action, error);
        return isOfAnyOperation(call.tool(), hash) ? call.operation() : "";
    }

    private static ContextHash hash(HashInput input, @Nullable Excerpt excerpt, boolean explained) {
        CommandLine.Candidates parsed = excerpt == null ? null : excerpt.calls();
        CommandLine.Candidates calls = parsed == null ? CommandLine.candidates(input.tool(), input.action()) : parsed;
        CommandLine.Call call = calls.select(input.error());
        String patternName = input.patternName();
        if (patternName != null) {
            String signature = input.signature();
            if (signature != null && !signature.isBlank()) {
                return ContextHash.of(call.tool(), call.operation(), Slugs.kebab(signature));
            }
            String operation = input.action().isBlank() ? "" : call.operation();
            return ContextHash.of(call.tool(), operation, withoutCall(nameWords(patternName), call));
        }
        if (input.error().isBlank() && (input.exitCode() == null || input.exitCode() == 0)) {
            return ContextHash.of(call.tool(), call.operation(), "");
        }
        CommandLine.Call failed = wrapperOf(call, input.error());
        Diagnosis found =
                CauseClassifier.of(failed, input.error(), input.exitCode(), excerpt == null ? null : excerpt.lines());
        String pattern = found.pattern();
        String host = host(input, pattern);
        ContextHash hash = ContextHash.of(host == null ? tool(call, found) : host, found.operation(), pattern)
                .subject(found.subject());
        return explained ? hash.explain(found.explanation()) : hash;
    }

    /**
     * What failed if the call did not reach a tool: the server without a tool of that name, or the tool of an agent
     * that the user did not let run; else null.
     */
    private static @Nullable String host(HashInput input, String pattern) {
        boolean unknown = pattern.equals(UNKNOWN_TOOL);
        if (!unknown && !pattern.equals(REFUSED)) {
            return null;
        }
        String tool = ToolTable.canonical(input.tool());
        int end = tool.lastIndexOf("__");
        if (unknown) {
            return tool.startsWith("mcp__") && end > 5 ? tool.substring(0, end) : null;
        }
        boolean json = input.action().stripLeading().startsWith("{");
        return json && ToolTable.listed("runner", tool) ? tool : null;
    }

    /** The missing program if it is a known one or the tool itself; else the tool that failed. */
    private static String tool(CommandLine.Call call, Diagnosis found) {
        CommandLine.Call failed = found.call;
        String program = found.program;
        if (program == null || failed.tool().equals("powershell")) {
            return failed.tool();
        }
        if (ToolTable.listed("npm-programs", program) && ToolTable.listed("npm", failed.tool())) {
            return failed.tool();
        }
        String wrapper = call.wrapper();
        String shell = wrapper != null && ToolTable.listed("shells", wrapper) ? wrapper : null;
        if (ToolTable.isKnown(program) || program.equals(call.tool()) && shell == null) {
            return program;
        }
        return shell == null || found.isReportedBy(failed.tool()) ? failed.tool() : shell;
    }

    /** The call of the wrapper if the error begins with the wrapper's name; else the call itself. */
    private static CommandLine.Call wrapperOf(CommandLine.Call call, String error) {
        String wrapper = call.wrapper();
        int from = error.startsWith("Exit code ") ? error.indexOf('\n') + 1 : 0;
        from = wrapper == null ? from : afterNotes(error, from);
        int colon = wrapper == null ? -1 : error.indexOf(": ", from);
        String name = colon < 0 ? "" : error.substring(from, colon);
        if (wrapper == null
                || name.chars().anyMatch(Character::isWhitespace)
                || !ToolTable.canonical(name).equals(wrapper)) {
            return call;
        }
        int end = error.indexOf('\n', from);
        String line = FailedCommand.withoutShell(error.substring(from, end < 0 ? error.length() : end));
        return ToolTable.listed("shells", wrapper) && MessagePrefixes.toolPrefix(line, call.tool()) > 0
                ? call
                : new CommandLine.Call(wrapper, OperationParser.ANY, call.operands(), List.of(), null);
    }

    /** Where the first line that is no note of a wrapper begins; the same place if all are. */
    private static int afterNotes(String error, int from) {
        int start = from;
        while (start < error.length()) {
            int end = error.indexOf('\n', start);
            end = end < 0 ? error.length() : end;
            if (end > start && !SalientLines.isNote(error.substring(start, end))) {
                return start;
            }
            start = end + 1;
        }
        return from;
    }

    /** A name without the tool and the operation at its beginning, which the hash has already. */
    private static String withoutCall(String name, CommandLine.Call call) {
        String rest = name;
        for (String word : List.of(call.tool(), call.operation())) {
            rest = !word.isEmpty() && rest.startsWith(word + '-') ? rest.substring(word.length() + 1) : rest;
        }
        return rest;
    }

    /** The first words of a success's name that are no stop words. */
    private static String nameWords(String name) {
        String head = name.substring(0, Math.min(name.length(), MAX_CHARS));
        List<String> all = List.of(Slugs.kebab(head).split("-", -1));
        List<String> kept = new ArrayList<>();
        int chars = 0;
        for (String word : all) {
            boolean fits = kept.size() < SUCCESS_WORDS && chars + word.length() <= SUCCESS_CHARS;
            if (fits && !WordTables.stop(word.toLowerCase(Locale.ROOT))) {
                kept.add(word);
                chars += word.length();
            }
        }
        return String.join("-", kept.isEmpty() ? all : kept);
    }
}
