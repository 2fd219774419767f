package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the file is that an error says is missing. */
final class MissingFile {
    private static final int MANIFEST_LINES = 6;
    private static final HashCause MAIN_MODULE = HashCause.of("main-module-not-found");
    private static final HashCause MAIN_CLASS = HashCause.of("main-class-not-found");
    private static final HashCause SCRIPT = HashCause.of("script-not-found");
    private static final HashCause HEADER = HashCause.of("header-not-found");
    private static final HashCause OTHER_FILE = HashCause.of("other-file-not-found");

    /** The causes that no phrase of the lexicon tells. */
    static final List<HashCause> CAUSES = List.of(MAIN_MODULE, MAIN_CLASS, SCRIPT, HEADER, OTHER_FILE);

    /** What the shell replaces by names of files, or by what a command prints. */
    private static final LiteralPattern EXPANDED = new LiteralPattern("[*?\\[$`]");

    private MissingFile() {}

    /** The cause of a missing file or module by what it is: the script or module to run, a header or a manifest. */
    static HashCause refine(
            HashCause cause, CommandLine.Call call, ScoredLine line, List<ScoredLine> ranked, String subject) {
        boolean file = cause.name().equals("file-not-found");
        boolean module = cause.name().equals("module-not-found");
        if (module && call.operands().contains("-m") && line.exception() == null) {
            return MAIN_MODULE;
        } else if (module && isMainClass(ranked)) {
            return MAIN_CLASS;
        } else if ((file || module) && isScript(call, line, ranked)) {
            return SCRIPT;
        } else if (file && isHeader(line.message)) {
            return HEADER;
        }
        if (file && isManifest(call, ranked)) {
            return HashCause.of("manifest-not-found always");
        }
        return file && !subject.isEmpty() && isOther(call, subject) ? OTHER_FILE : cause;
    }

    private static boolean isMainClass(List<ScoredLine> lines) {
        for (ScoredLine line : lines) {
            if (line.text.contains("load main class")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a file is one that the call does not name: what another file refers to, or a part of the tool. */
    private static boolean isOther(CommandLine.Call call, String name) {
        String first = call.operands().isEmpty() ? "" : call.operands().get(0);
        boolean script = first.endsWith(".sh") || ToolTable.isKnown(ToolTable.canonical(first));
        if (call.words().isEmpty()
                || script
                || name.indexOf('.') < 0
                || ToolTable.listed("interpreters", call.tool())) {
            return false;
        }
        String base = name.substring(name.lastIndexOf('\\') + 1).toLowerCase(Locale.ROOT);
        for (String word : call.words()) {
            if (standsForOthers(word) || word.toLowerCase(Locale.ROOT).contains(base)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the shell expands the last part of a word, or the program reads names of files from it. */
    private static boolean standsForOthers(String word) {
        String last = word.substring(word.lastIndexOf('/') + 1);
        boolean expanded = !last.equals("$PWD") && EXPANDED.matcher(last).find() || word.indexOf('{') >= 0;
        return expanded || word.startsWith("@") || ToolTable.listed("file-lists", word.split("=", 2)[0]);
    }

    /**
     * Whether the message names no file but what the tool tried: {@code failed to start conversion: No such file or
     * directory} is about something inside of the tool.
     */
    static boolean isUnnamed(HashCause cause, TokenizedLine tokens, int phrase, Set<String> echo) {
        boolean tried =
                phrase > 0 && tokens.word(0).equals("cannot") && tokens.line.indexOf(": ") == tokens.start(phrase) - 2;
        if (!tried || !cause.name().equals("file-not-found")) {
            return false;
        }
        for (int i = 1; i < phrase; i++) {
            if (!tokens.isWord(i) || tokens.isQuoted(i) || echo.contains(tokens.word(i)) || isFile(tokens.word(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFile(String word) {
        return !WordTables.known(word) || word.equals("input") || word.equals("output");
    }

    /** Whether the missing file is a header of C. */
    private static boolean isHeader(String text) {
        return text.contains(".h: ")
                || text.contains(".hpp: ")
                || text.contains(".h' file")
                || text.contains(".hpp' file");
    }

    /** Whether the tool works on projects and the error names the file that makes a folder a project. */
    private static boolean isManifest(CommandLine.Call call, List<ScoredLine> ranked) {
        boolean project = ToolTable.hasOperations(call.tool()) || ToolTable.listed("projects", call.tool());
        for (ScoredLine candidate : ranked.subList(0, project ? Math.min(ranked.size(), MANIFEST_LINES) : 0)) {
            if (WordTables.manifest(candidate.message)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the missing file is the script that the call tells an interpreter to run. */
    private static boolean isScript(CommandLine.Call call, ScoredLine at, List<ScoredLine> ranked) {
        if (!ToolTable.listed("interpreters", call.tool())) {
            return false;
        }
        for (String operand : call.operands()) {
            if (operand.startsWith("-c") || operand.startsWith("-e")) {
                return false;
            }
            if (operand.equals("-m")) {
                return false;
            }
            if (!operand.startsWith("-") && operand.indexOf('.') >= 0) {
                String base = operand.substring(operand.lastIndexOf('/') + 1);
                return !base.isEmpty()
                        && namesFile(at.text, base)
                        && ranked.stream().noneMatch(l -> l.text.startsWith("Require stack"));
            }
        }
        return false;
    }

    /** Whether the text names the file other than as a position in code. */
    private static boolean namesFile(String text, String base) {
        for (int i = text.indexOf(base); i >= 0; i = text.indexOf(base, i + 1)) {
            int end = i + base.length();
            boolean position =
                    end + 1 < text.length() && text.charAt(end) == ':' && CharClasses.isDigit(text.charAt(end + 1))
                            || text.startsWith(" on line", end)
                            || text.startsWith(": line ", end)
                            || text.startsWith(" line ", end);
            if (!position) {
                return true;
            }
        }
        return false;
    }
}
