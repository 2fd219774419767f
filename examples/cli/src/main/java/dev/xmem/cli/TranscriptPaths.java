package dev.xmem.cli;

import dev.xmem.transcripts.TranscriptFile;
import dev.xmem.transcripts.TranscriptFormat;
import dev.xmem.transcripts.Transcripts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The transcripts that a command reads: those in the given files and folders, or those of this user's agents. */
final class TranscriptPaths {
    @Parameters(
            arity = "0..*",
            paramLabel = "PATH",
            description = "Files or folders with transcripts; default: where the agents of this user keep theirs.")
    List<String> paths = new ArrayList<>();

    @Option(
            names = "--agent",
            paramLabel = "NAME",
            description = "Only transcripts of one agent: claude, codex, copilot, gemini, opencode, swe-agent,"
                    + " mini-swe-agent, junit or errlore.")
    @Nullable String agent;

    /** Why files were skipped. */
    final List<String> skipped = new ArrayList<>();

    /** The transcripts, in the order of their start. */
    List<TranscriptFile> find(Environment environment) {
        TranscriptFormat format = agent == null
                ? null
                : TranscriptFormat.of(agent)
                        .orElseThrow(() -> new UsageException(
                                "unknown agent \"" + agent + "\", use one of " + TranscriptFormat.agents()));
        List<Path> places = paths.isEmpty()
                ? Transcripts.places(environment.variables(), environment.home())
                : paths.stream().map(environment::resolve).toList();
        List<TranscriptFile> found =
                Transcripts.find(places, format, (path, reason) -> skipped.add(path + ": " + reason));
        if (found.isEmpty() && skipped.isEmpty()) {
            String where = paths.isEmpty() ? "where the agents of this user keep theirs" : "there";
            throw new UsageException("no transcripts " + where + "; give files or folders that have some");
        }
        return found;
    }
}
