package dev.xmem.cli;

import dev.xmem.XMemStore;
import dev.xmem.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem report}: writes the overview of a store into a file. */
@Command(
        name = "report",
        description = {
            "Writes the overview of the store as one HTML file, without scripts and links: to mail, or to attach to a build.",
            "It has the repeat rate of the last weeks, the families of failures that cost most, and totals. Stored text"
                    + " is in it as the store has it, redacted."
        },
        footerHeading = "%nExample:%n",
        footer = {"  xmem report --html memory.html"})
final class ReportSubcommand extends Subcommand {
    @Option(names = "--html", required = true, paramLabel = "FILE", description = "The file; it is replaced.")
    String html = "";

    @Override
    public Integer call() throws IOException {
        Path page = root.environment().output("--html", html);
        try (XMemStore store = root.stores().openForReading()) {
            Files.writeString(page, Report.html(store, root.stores().existing().toString(), Instant.now()));
        }
        return Main.OK;
    }
}
