package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.HookProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Installs in filled settings of each agent, sends the agent's event of a failed call through the installed command, as
 * the agent does, and uninstalls.
 */
@Timeout(300)
class InstalledHookTest {
    private static final String FILLED = "{\r\n    // mine\r\n    \"version\": 1, \"theme\": [\"dark\", ],\r\n}";
    private static final String FATAL = "fatal: The current branch topic has no upstream branch.";
    private static final Map<String, String> EVENTS = Map.of(
            "claude",
            "{'session_id':'S','transcript_path':'/t','hook_event_name':'PostToolUseFailure','tool_name':'Bash',"
                    + "'tool_input':{'command':'git push origin topic'},'error':'Exit code 128\\n" + FATAL + "'}",
            "codex",
            "{'session_id':'S','turn_id':'1','hook_event_name':'PostToolUse','tool_name':'Bash',"
                    + "'tool_input':{'command':'git push origin topic'},'tool_response':'" + FATAL + "'}",
            "gemini",
            "{'session_id':'S','hook_event_name':'AfterTool','tool_name':'run_shell_command',"
                    + "'tool_input':{'command':'git push origin topic'},"
                    + "'tool_response':{'llmContent':'Output: " + FATAL + "\\nExit Code: 128'}}",
            "copilot",
            "{'sessionId':'S','timestamp':1,'cwd':'/','toolName':'bash',"
                    + "'toolArgs':{'command':'git push origin topic'},'error':'" + FATAL + "'}",
            "vscode",
            "{'sessionId':'S','hookEventName':'PostToolUse','tool_name':'run_in_terminal',"
                    + "'tool_input':{'command':'git push origin topic'},'tool_response':'" + FATAL + "'}",
            "cursor",
            "{'conversation_id':'S','hook_event_name':'postToolUseFailure','tool_name':'Shell',"
                    + "'tool_input':{'command':'git push origin topic'},'error_message':'" + FATAL + "'}",
            "kiro",
            "{'hook_event_name':'postToolUse','cwd':'/','tool_name':'execute_bash',"
                    + "'tool_input':{'command':'git push origin topic'},"
                    + "'tool_response':{'success':true,'result':[{'exit_status':'128','stderr':'" + FATAL + "'}]}}");

    @TempDir
    Path folder;

    /** The program of the hooks as a script, with the class path of the test. */
    private Path script() throws IOException {
        Path script = Files.createDirectories(folder.resolve("it's here")).resolve("xmem-hook");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(folder.resolve("arguments"), "-cp\n\"" + System.getProperty("java.class.path") + "\"\n");
        Files.writeString(
                script,
                "#!/bin/sh\nexec " + java + " -XX:TieredStopAtLevel=1 @" + folder.resolve("arguments") + " "
                        + HookProgram.class.getName() + " --store \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script;
    }

    private record Result(int exitCode, String out) {}

    private Result execute(String command, String event) throws Exception {
        Path out = folder.resolve("out");
        Path in = Files.writeString(folder.resolve("in"), event);
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("err")).content().isEmpty();
        return new Result(process.exitValue(), Files.readString(out));
    }

    /** The command that is installed for an event of this name. */
    private static String command(Path settings, String event) throws IOException {
        boolean found = false;
        try (JsonParser parser = new JsonFactory()
                .enable(JsonParser.Feature.ALLOW_COMMENTS)
                .enable(com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_TRAILING_COMMA.mappedFeature())
                .createParser(settings.toFile())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                found |= event.equals(parser.getText());
                boolean command = "command".equals(parser.currentName()) || "bash".equals(parser.currentName());
                if (found
                        && token == JsonToken.VALUE_STRING
                        && command
                        && parser.getText().contains("xmem")) {
                    return parser.getText();
                }
            }
        }
        throw new AssertionError("no command for " + event);
    }

    @ParameterizedTest
    @CsvSource({
        "claude,.claude/settings.json,PostToolUseFailure,0",
        "codex,.codex/hooks.json,PostToolUse,0",
        "gemini,.gemini/settings.json,AfterTool,0",
        "copilot,.github/hooks/xmem.json,postToolUseFailure,2",
        "vscode,.github/hooks/xmem-vscode.json,PostToolUse,0",
        "cursor,.cursor/hooks.json,postToolUseFailure,0",
        "kiro,.kiro/hooks/xmem.json,PostToolUse,0"
    })
    void installUseUninstall_filledSettings(String agent, String file, String name, int exitCode) throws Exception {
        Path settings = folder.resolve(file);
        Files.createDirectories(settings.getParent());
        Files.writeString(settings, FILLED);
        Path store = folder.resolve("a 'store'");
        Environment environment = new Environment(Map.of("HOME", "/nowhere"), Path.of("/nowhere"), folder, false);
        String[] install = {"install", agent, "--project", "--hook", script().toString(), "--store", store.toString()};
        assertThat(Xmem.in(environment, "", install).code()).isZero();
        String command = command(settings, name);
        String event = EVENTS.get(agent).replace('\'', '"');

        Result first = execute(command, event.replace("\"S\"", "\"monday\""));
        try (XMemStore open = XMem.open(store)) {
            String id = open.search(Query.all()).matches().get(0).entry().id();
            open.recordSuccess(Success.of("git", "Set the upstream").answers(id));
        }
        Result second = execute(command, event.replace("\"S\"", "\"tuesday\""));

        assertThat(first).isEqualTo(new Result(0, ""));
        if (agent.equals("kiro")) {
            assertThat(second).isEqualTo(new Result(0, ""));
        } else {
            assertThat(second.exitCode).isEqualTo(exitCode);
            assertThat(second.out).contains("seen 1×");
        }
        try (XMemStore open = XMem.open(store)) {
            assertThat(open.stats().failures()).isPositive();
        }
        assertThat(Xmem.in(environment, "", "install", agent, "--project", "--uninstall")
                        .code())
                .isZero();
        assertThat(settings).content().isEqualTo(FILLED);
        assertThat(settings.getParent().toFile().list()).hasSize(1);
    }
}
