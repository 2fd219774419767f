package dev.xmem.transcripts;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the calls of a transcript with their results, by the agent's ids. Keeps at most {@value #MAX_OPEN} calls
 * without a result.
 */
final class CallCollector {
    private static final int MAX_OPEN = 4096;

    final ReadCounts counts;
    final String agent;
    String session;

    @Nullable String folder;

    Instant now;

    private final Map<String, Open> open = new LinkedHashMap<>();
    private final ArrayDeque<PastCall> done = new ArrayDeque<>();

    /** A call without a result. */
    private record Open(
            ToolCall call, boolean tells, @Nullable String folder) {}

    /** @param session the id of the session, until the transcript names it */
    CallCollector(ReadCounts counts, String agent, String session, Instant now) {
        this.counts = counts;
        this.agent = agent;
        this.session = session;
        this.now = now;
    }

    /** Takes the time of a line, if it has one. */
    void at(@Nullable Object time) {
        Instant given = JsonTree.time(time);
        now = given == null ? now : given;
    }

    /** Takes the session and the working directory of a line, as far as it names them. */
    void in(String named, String directory) {
        session = named.isEmpty() ? session : named;
        folder = directory.isEmpty() ? folder : directory;
    }

    /**
     * Adds a call.
     *
     * @param input the arguments: a JSON object, or its text; any other text is the action of the call as it is
     * @param foreign whether the tool is not the agent's own, so that its output shows how it ended
     */
    void call(String id, String tool, @Nullable Object input, boolean foreign) {
        call(id, tool, input, foreign, "");
    }

    /** As {@link #call(String, String, Object, boolean)}, in a working directory of its own. */
    void call(String id, String tool, @Nullable Object input, boolean foreign, String directory) {
        Object parsed = input instanceof String text && text.startsWith("{") ? JsonTree.parse(text) : input;
        Map<String, Object> arguments = JsonTree.asObject(parsed);
        Object command = arguments.getOrDefault("command", arguments.get("cmd"));
        ToolCall shell = shell(command);
        boolean isObject = parsed instanceof Map;
        String action = !isObject && input instanceof String text && !text.isBlank()
                ? JsonTree.head(text, JsonTree.MAX_CALL_CHARS)
                : JsonTree.shortJson(arguments);
        ToolCall call = shell == null ? ToolCall.json(tool, action) : shell;
        open(id, call, shell != null || foreign, directory);
    }

    /** Adds a call whose output shows how it ended. */
    void shell(String id, String line) {
        open(id, ToolCall.shell(line), true, "");
    }

    private void open(String id, ToolCall call, boolean tells, String directory) {
        if (open.put(id, new Open(call, tells, directory.isEmpty() ? folder : directory)) != null) {
            counts.unpaired++;
        }
        if (open.size() > MAX_OPEN) {
            Iterator<Open> eldest = open.values().iterator();
            eldest.next();
            eldest.remove();
            counts.unpaired++;
        }
    }

    /** A command as the agent's hooks report it: a line, or the arguments of a process. */
    private static @Nullable ToolCall shell(@Nullable Object command) {
        if (command instanceof String line) {
            return line.isBlank() ? null : ToolCall.shell(line);
        }
        if (!(command instanceof List<?> list) || list.isEmpty()) {
            return null;
        }
        List<String> argv = list.stream().map(String::valueOf).toList();
        return argv.size() == 3 && argv.get(1).matches("-l?c") ? ToolCall.shell(argv.get(2)) : ToolCall.command(argv);
    }

    /** What a text of a result says, as the agent's hooks read it. */
    static ToolResponse response(String text) {
        try {
            return ToolResponse.of(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read from a file
        }
    }

    boolean isOpen(String id) {
        return open.containsKey(id);
    }

    /** Adds the result of a call that the agent itself reports as failed, or as ended; its exit code says more. */
    void result(String id, ToolResponse response, boolean failed) {
        Open call = take(id);
        if (call == null) {
            return;
        }
        if (response.isInterrupted()) {
            counts.interrupted++;
            return;
        }
        Integer code = response.exitCode();
        boolean known = failed || call.tells || code != null;
        int otherwise = failed ? 1 : 0;
        ToolError result = known ? ToolError.exit(code == null ? otherwise : code, response.text()) : null;
        add(id, call, result, null);
    }

    /** Adds the result of a call whose exit code is not known. */
    void output(String id, String text) {
        Open call = take(id);
        if (call != null) {
            add(id, call, ToolError.text(text), null);
        }
    }

    /** Adds the result of a call whose output says nothing about how it ended, such as the lines of a file. */
    void shown(String id) {
        Open call = take(id);
        if (call != null) {
            add(id, call, null, null);
        }
    }

    /** Adds a failure that is a call and its result at once. */
    void failure(String id, ToolCall call, String error, @Nullable String lesson) {
        add(id, new Open(call, true, folder), ToolError.exit(1, error), lesson);
    }

    private void add(String id, Open call, @Nullable ToolError result, @Nullable String lesson) {
        counts.calls++;
        done.add(new PastCall(
                agent, session, id, now, call.folder, call.call.session(session).callId(id), result, lesson));
    }

    private @Nullable Open take(String id) {
        Open call = open.remove(id);
        counts.unpaired += call == null ? 1 : 0;
        return call;
    }

    /** Notes that a call was refused, so that nothing was run. */
    void refused(String id) {
        counts.refused += open.remove(id) == null ? 0 : 1;
    }

    /** Notes that a call was interrupted. */
    void interrupted(String id) {
        counts.interrupted += open.remove(id) == null ? 0 : 1;
    }

    /** Notes that all open calls were interrupted. */
    void interruptedAll() {
        counts.interrupted += open.size();
        open.clear();
    }

    /** Ends the transcript. */
    void end() {
        counts.unpaired += open.size();
        open.clear();
    }

    @Nullable PastCall next() {
        return done.poll();
    }
}
