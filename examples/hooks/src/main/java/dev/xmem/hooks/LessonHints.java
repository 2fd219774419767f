package dev.xmem.hooks;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import java.io.File;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says how to note a lesson, in one line and once in a session. The environment variable {@code XMEM_HINTS=off} turns
 * it off. Thread-safe.
 */
public final class LessonHints {
    /** Whether hints are given. */
    public static final boolean ON = !"off".equalsIgnoreCase(System.getenv("XMEM_HINTS"));

    private static final int MAX_SESSIONS = 256;

    private final Set<String> told = new LinkedHashSet<>();

    private static final String SOLVED = "It works now, and no lesson is known. If the cause can come back, note it: ";
    private static final int MAX_CHARS = 300;
    private static final Pattern PLAIN = Pattern.compile("[\\w./+@:-]+");

    /**
     * For a hook whose agent has the MCP server: a session has solved a failure that has no lesson.
     *
     * @param tool the tool of the failure
     * @param id the id of the failure
     */
    public static String byTool(String tool, String id) {
        return SOLVED + "record_success " + answer(tool, id);
    }

    /** The arguments of the tool {@code record_success}. */
    private static String answer(String tool, String id) {
        return "{\"tool\":\"" + tool.replaceAll("[\"\\\\]", "") + "\",\"pattern_name\":\"what helped\",\"answers\":[\""
                + id + "\"]}";
    }

    /**
     * For an agent that only has a shell: the command that notes the lesson. Empty if it would be too long.
     *
     * @param store the folder of the store
     */
    public static String byShell(Path store, String tool, String id) {
        String line = SOLVED + "xmem --store " + quoted(store.toAbsolutePath().toString()) + " record success tool="
                + quoted(tool) + " name='what helped' answers=" + id;
        return line.length() > MAX_CHARS ? "" : line;
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Whether the program {@code xmem} is in a folder of the search path, which a test replaces. */
    static boolean hasProgram() {
        String searchPath = System.getProperty("xmem.search.path", System.getenv("PATH"));
        return searchPath != null
                && Stream.of(searchPath.split(File.pathSeparator))
                        .anyMatch(folder -> new File(folder, "xmem").canExecute());
    }

    /** For the tool {@code recall}: a failure without a lesson; empty if there is one, or the session was told. */
    public String afterFailure(String session, Advice advice) {
        boolean asked = advice.status() == Advice.Status.FOUND || advice.status() == Advice.Status.NOTHING_RELEVANT;
        List<Entry> known = advice.matches().stream().map(Match::entry).toList();
        if (!ON || !asked || known.stream().anyMatch(LessonHints::teaches) || !isFirst(session)) {
            return "";
        }
        String how = known.isEmpty()
                ? "record_failure with pattern_avoid"
                : "record_success " + answer(tool(known.get(0)), known.get(0).id());
        return "\nNo lesson is known. When it works, note what helped: " + how + ".";
    }

    /** The tool of a failure or a success. */
    public static String tool(Entry entry) {
        return entry instanceof Failure failure
                ? failure.tool()
                : entry instanceof Success success ? success.tool() : "";
    }

    private static boolean teaches(Entry entry) {
        return entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null;
    }

    private synchronized boolean isFirst(String session) {
        if (!told.add(session)) {
            return false;
        }
        if (told.size() > MAX_SESSIONS) {
            told.remove(told.iterator().next());
        }
        return true;
    }
}
