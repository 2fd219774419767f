package dev.xmem.transcripts;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * mini-SWE-agent: {@code <instance>.traj.json}, of version 1.1 with {@code actions} and {@code returncode} beside the
 * messages, or older with both in their text. Last verified on 2026-11-23 with the program's source.
 */
final class MiniSweAgentFormat extends DocumentFormat {
    private static final Set<String> SKIPPED = Set.of("info", "response", "model_response", "thinking");
    private static final Pattern COMMAND =
            Pattern.compile("```(?:bash|mswea_bash_command)\\s*\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("<returncode>\\s*(-?\\d{1,9})\\s*</returncode>");
    private static final Pattern OUTPUT =
            Pattern.compile("<output(?:_head|_tail)?+>\\n?(.*?)\\n?(?:</output(?:_head|_tail)?+>|\\z)", Pattern.DOTALL);
    private static final String KILLED = "timed out and has been killed";

    /** The exit code of {@code timeout} for a command that it killed. */
    private static final int TIMEOUT = 124;

    private static final String NOT_RUN = "action was not executed";

    /** The ids of the calls without a result. */
    private final ArrayDeque<String> open = new ArrayDeque<>();

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    String steps() {
        return "messages";
    }

    @Override
    void step(long number, Map<String, Object> message, CallCollector out) {
        Map<String, Object> extra = JsonTree.object(message, "extra");
        Object time = extra.get("timestamp");
        out.at(time);
        String role = JsonTree.text(message, "role");
        String content = JsonTree.texts(message.get("content"));
        if (extra.containsKey("actions")) {
            int index = 0;
            for (Object each : JsonTree.array(extra, "actions")) {
                call(
                        out.session + '#' + number + '.' + ++index,
                        JsonTree.text(JsonTree.asObject(each), "command"),
                        out);
            }
        } else if (extra.containsKey("returncode")) {
            Integer code = JsonTree.code(extra, "returncode");
            String failure = JsonTree.text(extra, "exception_info");
            String text = JsonTree.text(extra, "raw_output");
            result(failure.isEmpty() ? text : text + '\n' + failure, code == null ? 0 : code, out);
        } else if (role.equals("assistant")) {
            Matcher command = COMMAND.matcher(content);
            open.clear(); // a call that got no result
            if (command.find()) {
                call(out.session + '#' + number, command.group(1), out);
            }
        } else if (role.equals("user")) {
            Matcher code = CODE.matcher(content);
            if (code.find()) {
                result(output(content, code.end()), Integer.parseInt(code.group(1)), out);
            } else if (content.contains(KILLED)) {
                result(output(content, 0) + '\n' + KILLED, TIMEOUT, out);
            }
        }
    }

    /** The output in a reply, or its beginning and end if it was long. */
    private static String output(String reply, int from) {
        Matcher part = OUTPUT.matcher(reply);
        StringBuilder output = new StringBuilder();
        boolean found = false;
        for (int at = from; at < reply.length() && part.find(at); at = part.end()) {
            output.append(output.isEmpty() ? "" : "\n").append(part.group(1));
            found = true;
        }
        return found ? output.toString() : reply.substring(from).strip();
    }

    private void call(String id, String command, CallCollector out) {
        if (!command.isBlank()) {
            open.add(id);
            out.shell(id, command);
        }
    }

    private void result(String text, int code, CallCollector out) {
        String id = open.poll();
        if (id == null) {
            out.counts.unpaired++;
        } else if (text.strip().equals(NOT_RUN)) {
            out.interrupted(id);
        } else {
            out.result(id, new ToolResponse(text, code, false), code != 0);
        }
    }
}
