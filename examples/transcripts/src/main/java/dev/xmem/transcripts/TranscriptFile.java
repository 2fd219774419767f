package dev.xmem.transcripts;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * A file that has a transcript.
 *
 * @param start when it begins, as far as its first bytes tell, else when it was changed last
 */
public record TranscriptFile(Path path, TranscriptFormat format, Instant start) {
    private static final int MAX_FIRST_LINE = 1 << 20;

    /** Opens the transcript. */
    public Transcript open() throws IOException {
        return open(0);
    }

    /** Whether new calls are only added at the end of the file. */
    public boolean isAppended() {
        boolean lines = path.toString().endsWith(".jsonl");
        return lines && format != TranscriptFormat.ERRLORE;
    }

    /**
     * Opens the transcript at a later line; its first line is read nevertheless, since it may name the session.
     *
     * @param from where to begin, in bytes; the line there is skipped. 0 unless the file {@link #isAppended()}
     */
    public Transcript open(long from) throws IOException {
        Instant changed = Files.getLastModifiedTime(path).toInstant();
        boolean timed = format != TranscriptFormat.SWE_AGENT;
        CallCollector calls =
                new CallCollector(new ReadCounts(), format.agent(), session(path), timed ? start : changed);
        return switch (format) {
            case CLAUDE -> lines(in(from), new ClaudeFormat(), calls);
            case CODEX -> lines(in(from), new CodexFormat(), calls);
            case COPILOT -> lines(in(from), new CopilotFormat(), calls);
            case ERRLORE -> lines(in(from), new ErrloreFormat(), calls);
            case GEMINI ->
                isAppended()
                        ? lines(in(from), new GeminiFormat(), calls)
                        : new DocumentTranscript(in(from), new GeminiDocument(), calls);
            case SWE_AGENT -> new DocumentTranscript(in(from), new SweAgentFormat(), calls);
            case MINI_SWE_AGENT ->
                path.toString().endsWith(Transcripts.TERMINAL)
                        ? new MiniSweAgentLog(in(from), calls)
                        : new DocumentTranscript(in(from), new MiniSweAgentFormat(), calls);
            case OPENCODE -> new ProcessTranscript(OpencodeFormat.start(path, System.getenv()), calls);
            case JUNIT -> new JunitTranscript(in(from), JunitTranscript.Runner.of(path.toString()), calls);
        };
    }

    private static Transcript lines(InputStream in, LineFormat format, CallCollector calls) {
        return new LineTranscript(new JsonLines(in, calls.counts), format, calls);
    }

    /** The file; if it is read from a later position, its first line and the lines after the one at that position. */
    private InputStream in(long from) throws IOException {
        if (from == 0 || !isAppended()) {
            return Files.newInputStream(path);
        }
        byte[] first;
        try (InputStream in = Files.newInputStream(path)) {
            byte[] begin = in.readNBytes((int) Math.min(MAX_FIRST_LINE, from));
            int end = 0;
            while (end < begin.length && begin[end] != '\n') {
                end++;
            }
            first = Arrays.copyOf(begin, Math.min(end + 1, begin.length));
        }
        FileChannel channel = FileChannel.open(path);
        try {
            InputStream rest = Channels.newInputStream(channel.position(from - 1));
            int skipped = rest.read();
            while (skipped >= 0 && skipped != '\n') {
                skipped = rest.read();
            }
            return new SequenceInputStream(new ByteArrayInputStream(first), rest);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The session of a transcript that names none: the last names of its path. */
    private static String session(Path path) {
        Path whole = path.toAbsolutePath();
        int names = whole.getNameCount();
        String last = whole.subpath(Math.max(0, names - 3), names).toString();
        return last.replaceFirst("\\.(?:traj\\.json|traj|jsonl|json|xml)\\z", "");
    }
}
