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
        if (format == TranscriptFormat.OPENCODE) {
            Process process = OpencodeFormat.start(path, System.getenv());
            return new ProcessTranscript(process, calls);
        }
        InputStream in = from > 0 && isAppended() ? tail(from) : Files.newInputStream(path);
        return switch (format) {
            case CLAUDE -> lines(in, new ClaudeFormat(), calls);
            case CODEX -> lines(in, new CodexFormat(), calls);
            case COPILOT -> lines(in, new CopilotFormat(), calls);
            case ERRLORE -> lines(in, new ErrloreFormat(), calls);
            case GEMINI ->
                isAppended()
                        ? lines(in, new GeminiFormat(), calls)
                        : new DocumentTranscript(in, new GeminiDocument(), calls);
            case SWE_AGENT -> new DocumentTranscript(in, new SweAgentFormat(), calls);
            case MINI_SWE_AGENT ->
                path.toString().endsWith(Transcripts.TERMINAL)
                        ? new MiniSweAgentLog(in, calls)
                        : new DocumentTranscript(in, new MiniSweAgentFormat(), calls);
            case OPENCODE -> new DocumentTranscript(in, new MiniSweAgentFormat(), calls);
            case JUNIT -> new JunitTranscript(in, JunitTranscript.Runner.of(path.toString()), calls);
        };
    }

    private static Transcript lines(InputStream in, LineFormat format, CallCollector calls) {
        return new LineTranscript(new JsonLines(in, calls.counts), format, calls);
    }

    /** The first line, and the lines after the one at a position. */
    private InputStream tail(long from) throws IOException {
        byte[] first;
        try (InputStream in = Files.newInputStream(path)) {
            byte[] begin = in.readNBytes((int) Math.min(MAX_FIRST_LINE, from));
            int end = 0;
            while (end < begin.length && begin[end] != '\n') {
                end++;
            }
            first = new byte[Math.min(end + 1, begin.length)];
            System.arraycopy(begin, 0, first, 0, first.length);
        }
        FileChannel channel = FileChannel.open(path);
        channel.position(from - 1);
        InputStream rest = Channels.newInputStream(channel);
        SequenceInputStream both = new SequenceInputStream(new ByteArrayInputStream(first), new RestOfLines(rest));
        return both;
    }

    /** The session of a transcript that names none: the last names of its path. */
    private static String session(Path path) {
        Path whole = path.toAbsolutePath();
        int names = whole.getNameCount();
        String last = whole.subpath(Math.max(0, names - 3), names).toString();
        return last.replaceFirst("\\.(?:traj\\.json|traj|jsonl|json|xml)\\z", "");
    }
}
