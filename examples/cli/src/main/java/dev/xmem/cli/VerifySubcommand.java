package dev.xmem.cli;

import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code xmem verify}: checks the files of the store. */
@Command(
        name = "verify",
        description = {
            "Checks the files of the store. Changes nothing.",
            "Checks every line, id and reference, compares the logs with their checksums and the derived files"
                    + " with the logs. Prints one line"
                    + " per finding, with file and byte offset; the exit code is then 1. A derived file that is"
                    + " behind the logs is a note, not a finding."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem verify", "  xmem verify --json | jq -r '.findings[]'"})
final class VerifySubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        VerifyReport report;
        ProgressReporter progress = ProgressReporter.of(root.terminal(), "verify", root.json);
        try (progress;
                XMemStore store = root.stores().openReadOnly()) {
            report = store.verify();
        }
        int code = answer(root.json ? json(report) : text(report));
        return report.clean() ? code : Main.REFUSED;
    }

    private static String text(VerifyReport report) {
        StringBuilder text = new StringBuilder();
        report.findings().forEach(finding -> text.append(finding).append('\n'));
        report.notices().forEach(notice -> text.append("note: ").append(notice).append('\n'));
        return text + CountedNoun.of(report.lines(), "line") + ", "
                + (report.clean() ? "all in order" : CountedNoun.of(report.count(), "finding"));
    }

    private static String json(VerifyReport report) {
        return JsonText.object(g -> {
            g.writeBooleanField("clean", report.clean());
            g.writeNumberField("lines", report.lines());
            g.writeNumberField("count", report.count());
            JsonText.strings(g, "findings", report.findings());
            JsonText.strings(g, "notices", report.notices());
        });
    }
}
