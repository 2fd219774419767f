package dev.xmem.cli;

import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code xmem verify}: whether the files are in order. */
@Command(
        name = "verify",
        description = {
            "Reads every line, id and reference and compares the derived files with them. Changes nothing.",
            "Each finding is a line with the file and the byte; the exit code is then 1."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem verify", "  xmem verify --json | jq -r '.findings[]'"})
final class VerifyCommand implements Callable<Integer> {
    private final Root root;

    VerifyCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        VerifyReport report;
        Progress progress = Progress.of(root.terminal(), "verify", root.json);
        try (progress;
                XMemStore store = root.stores().inspecting()) {
            report = store.verify();
        }
        root.terminal().answer(root.json ? json(report) : text(report));
        root.terminal().flush();
        return report.clean() ? Main.OK : Main.REFUSED;
    }

    private static String text(VerifyReport report) {
        return report.clean()
                ? Plural.of(report.lines(), "line") + ", all in order"
                : String.join("\n", report.findings()) + "\n" + Plural.of(report.lines(), "line") + ", "
                        + Plural.of(report.findings().size(), "finding");
    }

    private static String json(VerifyReport report) {
        return Json.object(g -> {
            g.writeBooleanField("clean", report.clean());
            g.writeNumberField("lines", report.lines());
            g.writeArrayFieldStart("findings");
            for (String finding : report.findings()) {
                g.writeString(finding);
            }
            g.writeEndArray();
        });
    }
}
