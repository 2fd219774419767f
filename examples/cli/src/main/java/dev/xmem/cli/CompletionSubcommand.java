package dev.xmem.cli;

import java.io.IOException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code xmem completion}: prints a shell completion script. */
@Command(
        name = "completion",
        description = "Prints a script that completes the commands and options of xmem in bash and zsh.",
        footerHeading = "%nExample, for ~/.bashrc:%n",
        footer = {"  alias xmem='java -jar /path/to/xmem.jar'", "  source <(java -jar /path/to/xmem.jar completion)"})
final class CompletionSubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        String script =
                AutoComplete.bash("xmem", Main.commandLine(new RootCommand(root.terminal(), root.environment())));
        return answer(root.json ? JsonText.object(g -> g.writeStringField("script", script)) : script);
    }
}
