package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The examples of the help texts, as they are printed, pasted into a shell. */
class HelpExamplesTest {
    /** Stores its standard input and its arguments instead of running xmem. */
    private static final String STUB = """
            xmem() {
              n=$(($(ls calls | wc -l) + 1)); mkdir "calls/$n"
              for a in "$@"; do printf '%s\\0' "$a"; done > "calls/$n/args"
              case " $* " in
                *" failure "*=*|*" slash "*|*/xmem:*) ;;
                *" record "*|*" recall "*|*" hash "*|*"memory-"*|*" --batch "*) cat > "calls/$n/in" ;;
              esac
            }
            set -u
            mkdir calls
            """;

    @TempDir
    Path folder;

    private static CommandLine all() {
        return Main.commandLine(new RootCommand(
                new Terminal(new ByteArrayInputStream(new byte[0]), System.out, System.err),
                new Environment(Map.of(), Path.of("x"), Path.of("x"), false)));
    }

    static Stream<String> commands() {
        return all().getSubcommands().keySet().stream().filter(name -> !name.contains("_"));
    }

    /** A command that is named first is described without the others. */
    @ParameterizedTest
    @MethodSource("commands")
    void command_namedFirst_isAsAmongAll(String command) {
        String help = all().getSubcommands().get(command).getUsageMessage();

        assertThat(Xmem.run(command, "--help").out()).isEqualTo(help);
        assertThat(Xmem.run("--json", "--store", "x", command, "-h").out()).isEqualTo(help);
    }

    /** The example lines of a help text: those that are indented by two blanks and begin a command. */
    private static List<String> examples(String help) {
        List<String> examples = new ArrayList<>();
        boolean continued = false;
        for (String line : help.substring(Math.max(0, help.indexOf("Example"))).split("\n")) {
            if (continued) {
                examples.set(examples.size() - 1, examples.get(examples.size() - 1) + "\n" + line);
            } else if (line.matches("  (xmem|echo|printf) .*")) {
                examples.add(line);
            }
            continued = line.matches("  .*(\\\\|\\|)\\s*") && !examples.isEmpty();
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void examples_pastedIntoAShell_areWellFormedCommands(String command) throws Exception {
        String help = Xmem.run(command, "--help").out();
        for (String example : examples(help)) {
            Path work = Files.createTempDirectory(folder, "example");
            Files.createDirectories(work.resolve("other-store/data"));
            Files.createDirectories(work.resolve("data/backup/b"));
            Files.writeString(work.resolve("other-store/data/failures.jsonl"), "");
            Process shell = new ProcessBuilder("sh", "-c", STUB + example)
                    .directory(work.toFile())
                    .redirectErrorStream(true)
                    .start();
            shell.getOutputStream().close();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as(example + "\n" + said).isZero();
            assertThat(work.resolve("calls/1/args")).as(example).exists();
            run(work, example);
        }
    }

    private static void run(Path work, String example) throws IOException {
        String arguments = Files.readString(work.resolve("calls/1/args"));
        List<String> args = new ArrayList<>(
                List.of(arguments.substring(0, arguments.length() - 1).split("\0", -1)));
        Path in = work.resolve("calls/1/in");
        String input = Files.exists(in) ? Files.readString(in) : "";
        assertThat(args.stream().noneMatch(arg -> arg.contains("\n")))
                .as(example)
                .isTrue();
        if (args.contains("sync")
                || args.contains("clone")
                || args.contains("export")
                || args.contains("serve")
                || args.contains("run")) {
            return; // needs a remote or another program, or does not end
        }
        Path store = work.resolve("store").toAbsolutePath();
        Xmem.run("--store", store.toString(), "record", "failure", "tool=git", "error=x");
        int named = args.indexOf("--store");
        if (named >= 0) {
            args.set(named + 1, store.toString());
        }
        Environment environment = new Environment(Map.of("XMEM_STORE", store.toString()), work, work, false);
        Xmem result = Xmem.in(environment, input, args.toArray(String[]::new));
        boolean unknownEntry = result.err().contains("no ") || result.err().contains("backup");
        assertThat(result.err()).as(example).doesNotContain("--help", "internal error", "\"line\":");
        assertThat(result.code() == Main.FAILED && !unknownEntry)
                .as(example + "\n" + result.err())
                .isFalse();
    }
}
