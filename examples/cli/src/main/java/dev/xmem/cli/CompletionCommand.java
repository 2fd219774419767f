package dev.xmem.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code xmem completion}: what makes a shell complete the commands and options. */
@Command(
        name = "completion",
        description = "Prints a script that makes bash and zsh complete commands and options of xmem.",
        footerHeading = "%nExample, for ~/.bashrc:%n",
        footer = {"  alias xmem='java -jar /path/to/xmem.jar'", "  source <(java -jar /path/to/xmem.jar completion)"})
final class CompletionCommand implements Callable<Integer> {
    private final Root root;

    CompletionCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        String script = AutoComplete.bash("xmem", Main.commandLine(new Root(root.terminal(), root.surroundings())));
        root.terminal().answer(root.json ? Json.object(g -> g.writeStringField("script", script)) : script);
        root.terminal().flush();
        return Main.OK;
    }
}
