package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.transcripts.ImportReport;
import dev.xmem.transcripts.ReadCounts;
import dev.xmem.transcripts.TranscriptFile;
import dev.xmem.transcripts.TranscriptImport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xmem import}: records the failures of transcripts. */
@Command(
        name = "import",
        description = {
            "Records the failures in the transcripts of coding agents, and the retry pairs in them.",
            "Reads what Claude Code, Codex CLI, Copilot CLI, Gemini CLI, OpenCode (with sqlite3), SWE-agent and"
                    + " mini-SWE-agent have written, test reports in JUnit's XML form, and errlore's logs. Refused and"
                    + " interrupted calls do not count as failures. A call is recorded once, however often it is imported."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem import --dry-run",
            "  xmem import --since=2026-01-31 ~/.claude/projects",
            "  xmem import --agent=junit target/surefire-reports",
            "A transcript that was imported before and has not changed is not read."
        })
final class ImportSubcommand extends Subcommand {
    @Mixin
    TranscriptPaths transcripts = new TranscriptPaths();

    @Option(names = "--dry-run", description = "Print what an import would find, and write nothing.")
    boolean dryRun;

    @Option(
            names = "--since",
            paramLabel = "DATE",
            description = "Only calls from this day on (UTC), such as 2026-01-31, or from a time such as"
                    + " 2026-01-31T10:00:00Z.")
    @Nullable String since;

    @Override
    public Integer call() throws IOException {
        Instant from = since == null ? null : time(since);
        List<TranscriptFile> files = transcripts.find(root.environment());
        try (ProgressReporter progress = ProgressReporter.of(root.terminal(), "import", root.json)) {
            ImportReport report = dryRun ? dryRun(files, from, progress) : record(files, from, progress);
            transcripts.skipped.addAll(report.skipped());
            answer(root.json ? json(report) : text(report));
        }
        return transcripts.skipped.isEmpty() ? Main.OK : Main.REFUSED;
    }

    private ImportReport record(List<TranscriptFile> files, @Nullable Instant from, ProgressReporter progress)
            throws IOException {
        try (XMemStore store = root.stores().openOrCreate()) {
            return TranscriptImport.run(store, root.stores().directory(), files, from, progress::lines);
        }
    }

    private ImportReport dryRun(List<TranscriptFile> files, @Nullable Instant from, ProgressReporter progress)
            throws IOException {
        Path directory = root.stores().directoryIfExists();
        try (XMemStore store =
                directory == null ? XMem.inMemory() : root.stores().openReadOnly()) {
            return TranscriptImport.dryRun(store, directory, files, from, progress::lines);
        }
    }

    private static Instant time(String given) {
        try {
            return given.contains("T")
                    ? Instant.parse(given)
                    : LocalDate.parse(given).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw new UsageException("--since must be a day such as 2026-01-31, or a time such as"
                    + " 2026-01-31T10:00:00Z, not \"" + given + "\"");
        }
    }

    private String text(ImportReport report) {
        return report.text() + '\n' + (dryRun ? "would record " : "recorded ")
                + CountedNoun.of(report.recorded(), "entry", "entries") + " and "
                + CountedNoun.of(report.lessons(), "lesson") + " from " + CountedNoun.of(report.files(), "transcript")
                + "; " + CountedNoun.of(report.known(), "failure was", "failures were") + " known before, "
                + CountedNoun.of(report.unchanged(), "transcript has", "transcripts have") + " not changed\n"
                + counts(report.counts(), transcripts.skipped);
    }

    /** What readers met, as lines of text. */
    static String counts(ReadCounts counts, List<String> skipped) {
        StringBuilder text = new StringBuilder(CountedNoun.of(counts.calls(), "call") + "; no failures: "
                + counts.refused() + " refused, " + counts.interrupted() + " interrupted; lines skipped: "
                + counts.malformed() + " malformed, " + counts.torn() + " unfinished, " + counts.unknown()
                + " of unknown types");
        skipped.forEach(reason -> text.append("\nskipped ").append(reason));
        return text.toString();
    }

    private String json(ImportReport report) {
        return JsonText.object(g -> {
            g.writeBooleanField("dry_run", dryRun);
            g.writeNumberField("transcripts", report.files());
            g.writeNumberField("unchanged", report.unchanged());
            g.writeNumberField("sessions", report.sessions());
            g.writeNumberField("failures", report.failures());
            g.writeNumberField("families", report.families());
            g.writeNumberField("repeats_in_session", report.repeats());
            g.writeNumberField("known", report.known());
            g.writeNumberField("recorded", report.recorded());
            g.writeNumberField("lessons", report.lessons());
            g.writeNumberField("rejected", report.rejected());
            write(g, report.counts(), transcripts.skipped);
        });
    }

    static void write(JsonGenerator g, ReadCounts counts, List<String> skipped) throws IOException {
        g.writeNumberField("calls", counts.calls());
        g.writeNumberField("refused", counts.refused());
        g.writeNumberField("interrupted", counts.interrupted());
        g.writeNumberField("malformed", counts.malformed());
        g.writeNumberField("unfinished", counts.torn());
        g.writeNumberField("unknown", counts.unknown());
        g.writeNumberField("unpaired", counts.unpaired());
        g.writeNumberField("bytes", counts.bytes());
        JsonText.strings(g, "skipped", skipped);
    }
}
