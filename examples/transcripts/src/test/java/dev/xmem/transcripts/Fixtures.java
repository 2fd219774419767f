package dev.xmem.transcripts;

import dev.xmem.ToolError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The transcripts under the test resources, written for these tests in the forms of the agents. */
final class Fixtures {
    static final List<String> AGENTS =
            List.of("claude", "codex", "copilot", "gemini", "swe-agent", "mini-swe-agent", "junit", "errlore");

    private Fixtures() {}

    static Path folder(String agent) {
        try {
            return Path.of(Objects.requireNonNull(Fixtures.class.getResource(agent), agent)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The files of an agent, in the order of their names. */
    static List<Path> files(String agent) {
        try (Stream<Path> files = Files.walk(folder(agent))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that a reader makes of a file, one line for each call. */
    static List<String> lines(Path file) throws IOException {
        TranscriptFile transcript = Objects.requireNonNull(Transcripts.of(file), "a transcript");
        List<String> lines = new ArrayList<>();
        lines.add("== " + file.getFileName() + ' ' + transcript.format().agent());
        try (Transcript calls = transcript.open()) {
            for (PastCall call = calls.next(); call != null; call = calls.next()) {
                lines.add(line(call, transcript));
            }
            ReadCounts counts = calls.counts();
            lines.add("calls " + counts.calls() + ", refused " + counts.refused() + ", interrupted "
                    + counts.interrupted() + ", malformed " + counts.malformed() + ", torn " + counts.torn()
                    + ", unknown " + counts.unknown() + ", unpaired " + counts.unpaired());
        }
        return lines;
    }

    private static String line(PastCall call, TranscriptFile file) throws IOException {
        ToolError result = call.result();
        String time = call.time().equals(Files.getLastModifiedTime(file.path()).toInstant())
                ? "changed"
                : call.time().toString();
        return String.join(
                " | ",
                call.id(),
                call.session(),
                time,
                String.valueOf(call.folder()),
                call.call().tool(),
                call.call().action(),
                result == null ? "-" : String.valueOf(result.exitCode()),
                result == null ? "" : result.text().strip().lines().reduce("", (first, last) -> last),
                call.lesson() == null ? "" : call.lesson());
    }
}
