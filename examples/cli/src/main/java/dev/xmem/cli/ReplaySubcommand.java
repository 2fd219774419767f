package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.transcripts.ReplayReport;
import dev.xmem.transcripts.TranscriptFile;
import dev.xmem.transcripts.TranscriptReplay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code xmem replay}: how many failures of the past were repeats. */
@Command(
        name = "replay",
        description = {
            "Counts how many of the failures in transcripts were repeats, and what xmem would have said to them.",
            "Replays the calls in the order of time with a memory that is empty at first. Needs no store. A repeat is"
                    + " a failure of a family that failed before; the same family need not mean the same remedy. The"
                    + " placebo is the same count with the families shuffled among the failures, the mean of 20 times."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem replay",
            "  xmem replay --json ~/.claude/projects | jq .repeats_in_session",
            "  xmem replay --html replay.html trajectories/",
            "The page is one file and loads nothing from the network."
        })
final class ReplaySubcommand extends Subcommand {
    private static final int SHOWN_FAMILIES = 15;

    @Mixin
    TranscriptPaths transcripts = new TranscriptPaths();

    @Option(
            names = "--rows",
            paramLabel = "FILE",
            description = "Write one JSON line for each failure to this file: its call, its family, the call before it"
                    + " that failed so. The lines have no text of the transcripts.")
    @Nullable String rows;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with the result to this file.")
    @Nullable String html;

    @Override
    public Integer call() throws IOException {
        Path page = html == null ? null : root.environment().output("--html", html);
        Path lines = rows == null ? null : root.environment().output("--rows", rows);
        List<TranscriptFile> files = transcripts.find(root.environment());
        try (ProgressReporter progress = ProgressReporter.of(root.terminal(), "replay", root.json)) {
            ReplayReport report = replay(files, lines, progress);
            transcripts.skipped.addAll(report.skipped());
            String json = json(report);
            if (page != null) {
                Files.writeString(page, ReplayPage.of(json));
            }
            answer(root.json ? json : text(report));
        }
        return transcripts.skipped.isEmpty() ? Main.OK : Main.REFUSED;
    }

    private static ReplayReport replay(List<TranscriptFile> files, @Nullable Path file, ProgressReporter progress)
            throws IOException {
        if (file == null) {
            return TranscriptReplay.run(files, progress::lines);
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            ReplayReport report = TranscriptReplay.run(files, progress::lines, row -> out.println(line(row)));
            if (out.checkError()) {
                throw new IOException("cannot write " + file + ". Check that the disk has free space");
            }
            return report;
        }
    }

    private static String line(ReplayReport.Row row) {
        return JsonText.object(g -> {
            g.writeStringField("agent", row.agent());
            g.writeStringField("session", row.session());
            g.writeStringField("call", row.call());
            g.writeStringField("ctx_hash", row.ctxHash());
            g.writeBooleanField("in_session", row.inSession());
            if (!row.before().isEmpty()) {
                g.writeStringField("before", row.before());
            }
            g.writeBooleanField("told", row.told());
            g.writeBooleanField("lesson", row.lesson());
        });
    }

    private String text(ReplayReport report) {
        StringBuilder text = new StringBuilder(CountedNoun.of(report.failures(), "failure") + " in "
                + CountedNoun.of(report.familyCount(), "family", "families") + ", "
                + CountedNoun.of(report.sessions(), "session") + "\n\n");
        line(text, "", "failures", "placebo");
        ReplayReport.Repeats repeats = report.repeats();
        ReplayReport.Repeats placebo = report.placebo();
        line(text, "repeats in a session", part(repeats.inSession(), report), part(placebo.inSession(), report));
        line(
                text,
                "repeats from earlier sessions",
                part(repeats.fromEarlierSessions(), report),
                part(placebo.fromEarlierSessions(), report));
        line(text, "new", part(repeats.fresh(), report), part(placebo.fresh(), report));
        text.append("\nxmem would have had something to say to " + CountedNoun.of(report.told(), "repeat")
                + ", and would have learned " + CountedNoun.of(report.lessonCount(), "lesson")
                + " from retries.\n\nThe families that failed most:\n");
        for (ReplayReport.Family family : report.families()
                .subList(0, Math.min(SHOWN_FAMILIES, report.families().size()))) {
            text.append(String.format(Locale.ROOT, "%7d  %s%n", family.failures(), family.ctxHash()));
        }
        return text + "\n" + ImportSubcommand.counts(report.counts(), transcripts.skipped);
    }

    private static void line(StringBuilder text, String name, String failures, String placebo) {
        text.append(String.format(Locale.ROOT, "%-31s%16s%16s%n", name, failures, placebo));
    }

    private static String part(double count, ReplayReport report) {
        double percent = report.failures() == 0 ? 0 : 100 * count / report.failures();
        return String.format(Locale.ROOT, "%.0f (%.0f %%)", count, percent);
    }

    private String json(ReplayReport report) {
        return JsonText.object(g -> {
            g.writeNumberField("transcripts", report.files());
            g.writeNumberField("sessions", report.sessions());
            ImportSubcommand.write(g, report.counts(), transcripts.skipped);
            g.writeNumberField("failures", report.failures());
            g.writeNumberField("families", report.familyCount());
            g.writeNumberField("repeats_in_session", (long) report.repeats().inSession());
            g.writeNumberField(
                    "repeats_from_earlier_sessions", (long) report.repeats().fromEarlierSessions());
            g.writeNumberField("new", (long) report.repeats().fresh());
            g.writeObjectFieldStart("placebo");
            g.writeNumberField("repeats_in_session", report.placebo().inSession());
            g.writeNumberField("repeats_from_earlier_sessions", report.placebo().fromEarlierSessions());
            g.writeNumberField("new", report.placebo().fresh());
            g.writeEndObject();
            g.writeNumberField("told", report.told());
            g.writeNumberField("lessons", report.lessonCount());
            lists(g, report);
        });
    }

    private static void lists(JsonGenerator g, ReplayReport report) throws IOException {
        JsonText.objects(g, "costliest_families", report.families(), family -> {
            g.writeStringField("ctx_hash", family.ctxHash());
            g.writeNumberField("failures", family.failures());
            g.writeNumberField("sessions", family.sessions());
            g.writeNumberField("told", family.told());
            g.writeNumberField("output_chars", family.characters());
        });
        JsonText.objects(g, "mined_lessons", report.lessons(), lesson -> {
            g.writeStringField("ts", lesson.time().toString());
            g.writeStringField("session", lesson.session());
            g.writeStringField("ctx_hash", lesson.ctxHash());
            g.writeStringField("name", lesson.name());
            JsonText.strings(g, "steps", lesson.steps());
        });
        JsonText.objects(g, "repeats", report.examples(), repeat -> {
            g.writeStringField("ts", repeat.time().toString());
            g.writeStringField("agent", repeat.agent());
            g.writeStringField("session", repeat.session());
            g.writeStringField("ctx_hash", repeat.ctxHash());
            g.writeBooleanField("in_session", repeat.inSession());
            g.writeStringField("call", repeat.call());
            g.writeStringField("said", repeat.said());
        });
    }
}
