package dev.xmem.cli;

import dev.xmem.hooks.ResidentProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** {@code xmem serve}: answers the hooks of the store in the foreground. */
@Command(
        name = "serve",
        description = "Answers the hooks of coding agents from this process, until it is stopped. Without it, the first"
                + " hook leaves such a process behind.",
        footerHeading = "%nExamples:%n",
        footer = {"  xmem serve", "  xmem serve --idle 600"})
final class ServeSubcommand implements Callable<Integer> {
    private final RootCommand root;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "2147483647",
            showDefaultValue = Visibility.NEVER,
            description = "End when no event came for this long; default: never.")
    int idleSeconds;

    ServeSubcommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path folder = root.stores().existingDirectory();
        Duration idle = Duration.ofSeconds(idleSeconds);
        return ResidentProgram.serve(folder, idle, line -> root.terminal().notice(root.json, line))
                ? Main.OK
                : Main.FAILED;
    }
}
