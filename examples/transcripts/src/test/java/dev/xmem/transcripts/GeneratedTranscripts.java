package dev.xmem.transcripts;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;

/**
 * Transcripts in the form of Claude Code for measurements: sessions of 60 calls, most of them reads and edits with
 * outputs of some kilobytes, one in fifteen a failure of one of 40 kinds. The same seed gives the same bytes.
 */
public final class GeneratedTranscripts {
    private static final int CALLS = 60;
    private static final String WORDS =
            "the store reads each entry from its log and keeps a cache of what was read last public static final int ";

    private final Random random;
    private final Path folder;

    private GeneratedTranscripts(Path folder, long seed) {
        this.folder = folder;
        this.random = new Random(seed);
    }

    /**
     * Writes sessions until their files have the given size.
     *
     * @return the number of failures in them
     */
    public static long write(Path folder, long bytes, long seed) throws IOException {
        return new GeneratedTranscripts(folder, seed).write(bytes);
    }

    /** Writes sessions into a folder: {@code FOLDER MEGABYTES}. */
    public static void main(String[] args) throws IOException {
        long failures = write(Path.of(args[0]), Long.parseLong(args[1]) << 20, 1);
        System.out.println(failures + " failures");
    }

    private long write(long bytes) throws IOException {
        long written = 0;
        long failures = 0;
        Files.createDirectories(folder);
        for (int session = 0; written < bytes; session++) {
            Path file = folder.resolve("session-" + session + ".jsonl");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                failures += session(out, session);
            }
            written += Files.size(file);
        }
        return failures;
    }

    private int session(OutputStream out, int session) throws IOException {
        Instant time = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(session * 3600L);
        int failures = 0;
        for (int call = 0; call < CALLS; call++) {
            time = time.plusSeconds(20);
            String id = "toolu_" + session + '_' + call;
            boolean failed = random.nextInt(15) == 0;
            boolean shell = failed || random.nextInt(3) == 0;
            int number = random.nextInt(40); // letters: another number would be another version of the tool
            String kind = "" + (char) ('a' + number / 8) + (char) ('a' + number % 8);
            String input = shell
                    ? "\"command\":\"tool" + kind + " build --target module" + kind + "\",\"description\":\"build it\""
                    : "\"file_path\":\"/work/shop/src/File" + kind + ".java\"";
            line(
                    out,
                    session,
                    time,
                    "assistant",
                    "{\"type\":\"thinking\",\"thinking\":\"" + text(600)
                            + "\",\"signature\":\"" + "A".repeat(400) + "\"},{\"type\":\"tool_use\",\"id\":\"" + id
                            + "\",\"name\":\"" + (shell ? "Bash" : "Read") + "\",\"input\":{" + input + "}}",
                    "");
            String output = failed
                    ? "Exit code 1\\n" + text(300) + "\\nerror: cannot find module" + kind + " in /work/shop"
                    : text(shell ? 1500 : 6000);
            line(
                    out,
                    session,
                    time.plusSeconds(5),
                    "user",
                    "{\"type\":\"tool_result\",\"tool_use_id\":\"" + id + "\",\"is_error\":" + failed
                            + ",\"content\":\"" + output + "\"}",
                    ",\"toolUseResult\":{\"stdout\":\"" + output + "\",\"stderr\":\"\",\"interrupted\":false}");
            failures += failed ? 1 : 0;
        }
        return failures;
    }

    private static void line(OutputStream out, int session, Instant time, String role, String content, String more)
            throws IOException {
        String line = "{\"parentUuid\":\"u\",\"isSidechain\":false,\"cwd\":\"/work/shop\",\"sessionId\":\"s-" + session
                + "\",\"version\":\"2.1.240\",\"gitBranch\":\"main\",\"type\":\"" + role
                + "\",\"message\":{\"role\":\"" + role + "\",\"content\":[" + content
                + "],\"usage\":{\"input_tokens\":4}}"
                + ",\"uuid\":\"v\",\"timestamp\":\"" + time + "\"" + more + "}\n";
        out.write(line.getBytes(StandardCharsets.UTF_8));
    }

    private String text(int length) {
        StringBuilder text = new StringBuilder(length + 40);
        while (text.length() < length) {
            int begin = random.nextInt(WORDS.length() - 30);
            text.append(WORDS, begin, begin + 5 + random.nextInt(25)).append(random.nextInt(9) == 0 ? "\\n" : " ");
        }
        return text.toString();
    }
}
