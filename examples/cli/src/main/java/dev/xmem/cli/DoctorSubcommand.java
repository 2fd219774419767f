package dev.xmem.cli;

import dev.xmem.cli.doctor.Doctor;
import dev.xmem.cli.doctor.Finding;
import dev.xmem.cli.doctor.Finding.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem doctor}: examines the hooks of coding agents, link by link. */
@Command(
        name = "doctor",
        description = {
            "Examines the hooks of coding agents, which stay silent if anything is broken: settings, script, jar, Java,"
                    + " store, resident, MCP server, the last events.",
            "Without --store, the stores are those of the installed hooks, else that of XMEM_STORE, the project's or the"
                    + " user's own.",
            "Prints one line for each finding, with what to do. Sends one event without effect through each installed"
                    + " command, as the agent would. The exit code is 1 if there is a problem."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem doctor", "  xmem doctor --agent claude", "  xmem doctor --json | jq -r '.findings[].text'"})
final class DoctorSubcommand extends Subcommand {
    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "Examine this agent only; default: all that have hooks of xmem.")
    @Nullable String agent;

    @Override
    public Integer call() throws IOException {
        long begin = System.nanoTime();
        Environment environment = root.environment();
        Path store = root.store == null
                ? null
                : environment.folder().resolve(root.store).normalize();
        List<Finding> findings = new Doctor(environment.place(), store, agent).examine(environment.foundStore());
        boolean healthy = findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
        long millis = (System.nanoTime() - begin) / 1_000_000;
        int code = answer(root.json ? json(findings, healthy, millis) : text(findings, millis));
        return healthy ? code : Main.REFUSED;
    }

    private static String text(List<Finding> findings, long millis) {
        StringBuilder text = new StringBuilder();
        int problems = 0;
        for (Finding finding : findings) {
            problems += finding.level() == Level.PROBLEM ? 1 : 0;
            text.append(String.format(Locale.ROOT, "%-8s", name(finding)) + finding.link() + ": " + line(finding.text())
                    + (finding.advice().isEmpty() ? "" : "; to do: " + line(finding.advice())) + '\n');
        }
        return text + CountedNoun.of(problems, "problem") + ", " + millis + " ms";
    }

    private static String name(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }

    /** A text of files and processes as one line without control characters. */
    private static String line(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    private static String json(List<Finding> findings, boolean healthy, long millis) {
        return JsonText.object(g -> {
            g.writeBooleanField("healthy", healthy);
            g.writeNumberField("ms", millis);
            JsonText.objects(g, "findings", findings, finding -> {
                g.writeStringField("level", name(finding));
                g.writeStringField("link", finding.link());
                g.writeStringField("text", line(finding.text()));
                g.writeStringField("advice", line(finding.advice()));
            });
        });
    }
}
