package dev.xmem.transcripts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * OpenCode: the parts of type {@code tool} in the SQLite database {@code opencode.db}, read by the program
 * {@code sqlite3}. Last verified on 2026-11-23 with the queries of two public readers.
 */
final class OpencodeFormat extends DocumentFormat {
    private static final String QUERY =
            "select p.id as id, m.session_id as session, s.directory as folder, p.data as data"
                    + " from part p join message m on m.id = p.message_id left join session s on s.id = m.session_id"
                    + " where json_extract(p.data, '$.type') = 'tool'"
                    + " order by json_extract(p.data, '$.state.time.start'), p.id";
    private static final List<String> REFUSALS =
            List.of("The user rejected permission", "The user has specified a rule which prevents");
    private static final List<String> INTERRUPTS = List.of("Tool execution aborted", "User aborted");

    /** Starts the program that prints the parts of a database. */
    static Process start(Path database, Map<String, String> environment) throws IOException {
        Path program = program(environment.getOrDefault("PATH", ""));
        if (program == null) {
            throw new IOException("reading an OpenCode database needs the program sqlite3 on the PATH");
        }
        String file = database.toAbsolutePath().toString();
        return new ProcessBuilder(program.toString(), "-batch", "-readonly", "-json", file, QUERY)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static @Nullable Path program(String path) {
        for (String folder : path.split(":", -1)) {
            Path program = Path.of(folder, "sqlite3");
            if (!folder.isEmpty() && Files.isExecutable(program)) {
                return program;
            }
        }
        return null;
    }

    @Override
    String steps() {
        return "";
    }

    @Override
    void step(long number, Map<String, Object> row, CallCollector out) {
        Map<String, Object> part = JsonTree.asObject(JsonTree.parse(JsonTree.text(row, "data")));
        Map<String, Object> state = JsonTree.object(part, "state");
        Map<String, Object> time = JsonTree.object(state, "time");
        String status = JsonTree.text(state, "status");
        if (!status.equals("completed") && !status.equals("error")) {
            return;
        }
        out.at(time.getOrDefault("end", time.getOrDefault("start", "")));
        out.in(JsonTree.text(row, "session"), JsonTree.text(row, "folder"));
        String id = JsonTree.text(part, "callID", "id");
        String key = id.isEmpty() ? JsonTree.text(row, "id") : id;
        out.call(key, JsonTree.text(part, "tool"), JsonTree.object(state, "input"), false);
        boolean failed = status.equals("error");
        String text = JsonTree.text(state, failed ? "error" : "output");
        if (failed && ClaudeFormat.starts(text, REFUSALS)) {
            out.refused(key);
        } else if (failed && ClaudeFormat.starts(text, INTERRUPTS)) {
            out.interrupted(key);
        } else {
            Integer code = JsonTree.code(JsonTree.object(state, "metadata"), "exit");
            out.result(key, new ToolResponse(text, code, false), failed);
        }
    }
}
