package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The script {@code xmem-hook} with the built jar, for a user whose home is a folder of the test. */
final class HookScript {
    static final Path SCRIPT =
            Path.of("../mcp-server/xmem-hook").toAbsolutePath().normalize();

    static final Path JAR = Path.of("target", "xmem-hook.jar").toAbsolutePath();

    private static final String FIRST = """
            {"session_id": "first", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
             "tool_input": {"command": "make all"},
             "error": "Exit code 2\\nmake: *** No rule to make target 'all'.  Stop."}""";

    private static final long WAIT_MILLIS = 240_000;

    final Path folder;
    final Path store;
    private final Map<String, String> variables = new HashMap<>();

    HookScript(Path folder) {
        this.folder = folder;
        this.store = folder.resolve("store");
        variables.put("XMEM_JAR", JAR.toString());
    }

    HookScript with(String name, String value) {
        variables.put(name, value);
        return this;
    }

    Map<String, String> variables() {
        return Map.copyOf(variables);
    }

    Programs.Result run(String event) throws IOException, InterruptedException {
        return run(store, event);
    }

    Programs.Result run(Path store, String event, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString(), store.toString()));
        command.addAll(List.of(arguments));
        return Programs.run(folder, command, event, variables);
    }

    /** A folder for the front of the PATH, whose {@code java} only leaves a mark. */
    Path withoutJava() throws IOException {
        Path programs = Files.createDirectories(folder.resolve("without-java"));
        Path java = programs.resolve("java");
        if (!Files.exists(java)) {
            Files.createFile(java, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(java, "#!/bin/sh\ntouch '" + mark() + "'\nexit 1\n");
        }
        return programs;
    }

    private Path mark() {
        return folder.resolve("java-was-started");
    }

    /** Runs the script where java cannot answer; returns whether it tried to start java. */
    boolean startsJava(Path store, String event) throws IOException, InterruptedException {
        Files.deleteIfExists(mark());
        Map<String, String> before = variables();
        variables.put("PATH", withoutJava() + ":" + System.getenv("PATH"));
        try {
            Programs.Result result = run(store, event);
            assertThat(result.exitCode()).isZero();
            assertThat(result.err()).isEmpty();
            return Files.exists(mark());
        } finally {
            variables.clear();
            variables.putAll(before);
        }
    }

    /** A failed command of a session. */
    static String failure(String session, String subject) {
        return failure(session, subject, "toolu-" + session + '-' + subject, "");
    }

    static String failure(String session, String subject, String call, String more) {
        return "{\"session_id\":\"" + session + "\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\","
                + "\"tool_input\":{\"command\":\"npm install " + subject + "\"},\"tool_use_id\":\"" + call + "\","
                + "\"error\":\"Exit code 1\\nnpm ERR! code E404\\nnpm ERR! 404 Not Found - " + subject + "\\n" + more
                + "\"}";
    }

    /** Records a fix of the last failure, or of a failed command, so that a hook has something to tell about it. */
    static void recordFix(Path store) {
        try (XMemStore open = XMem.open(store)) {
            List<Match> known =
                    open.search(Query.all().kind(Entry.Kind.FAILURE)).matches();
            Success.Draft fix = Success.of("npm", "Use the scoped name").action("install left-pad");
            open.recordSuccess(
                    known.isEmpty()
                            ? fix.signature("package-not-found")
                            : fix.answers(known.get(0).entry().id()));
        }
    }

    /** Lets the first hook leave a resident behind. */
    ResidentFile leaveResident() throws IOException, InterruptedException {
        run(FIRST);
        await(() -> ResidentFile.read(store) != null);
        return ResidentFile.read(store);
    }

    List<String> recorded() throws IOException {
        return Files.readAllLines(store.resolve("data/failures.jsonl"));
    }

    /** The residents, the makers of archives and the late writers of this test. */
    List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String line = process.info().commandLine().orElse("");
                    return line.contains(folder.toString())
                            && (line.contains(ResidentProgram.class.getName())
                                    || line.contains(ClassArchive.class.getName())
                                    || line.contains(LateEvent.class.getName()));
                })
                .toList();
    }

    List<ProcessHandle> residents() {
        return processes(ResidentProgram.class);
    }

    /** The processes that handle an event later. */
    List<ProcessHandle> late() {
        return processes(LateEvent.class);
    }

    private List<ProcessHandle> processes(Class<?> program) {
        return processes().stream()
                .filter(process -> process.info().commandLine().orElse("").contains(program.getName()))
                .toList();
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.currentTimeMillis() + WAIT_MILLIS;
        while (!condition.getAsBoolean() && System.currentTimeMillis() < until) {
            Thread.sleep(20);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** Deletes the store, whereupon its residents end. */
    void end() throws IOException, InterruptedException {
        delete(store);
        try {
            await(() -> processes().isEmpty());
        } finally {
            processes().forEach(ProcessHandle::destroyForcibly);
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        // A process may add a file meanwhile.
        for (int tries = 0; Files.exists(folder) && tries < 10; tries++) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | java.io.UncheckedIOException e) {
                if (tries == 9) {
                    throw e;
                }
            }
        }
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }
}
