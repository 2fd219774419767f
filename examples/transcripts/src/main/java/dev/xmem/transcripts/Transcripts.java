package dev.xmem.transcripts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds transcripts. Stateless. */
public final class Transcripts {
    private static final int HEAD_BYTES = 1 << 16;
    private static final int HEAD_LINES = 16;
    private static final Pattern TIME = Pattern.compile(
            "\"(?:timestamp|startTime|start_time)\"\\s*:\\s*(?:\"([^\"]{10,40})\"|(\\d{10,13}(?:\\.\\d{1,9})?))");
    private static final Pattern SUITE = Pattern.compile("<testsuite[^>]{0,2000}\\btimestamp=\"([^\"]{10,40})\"");
    /** The name of what Terminal-Bench keeps of a terminal, and what its first lines say. */
    static final String TERMINAL = "agent.log";

    private static final String RECORDER = "asciinema rec";
    private static final String SQLITE = "SQLite format 3";

    private Transcripts() {}

    /** Returns the existing folders and files where agents keep their transcripts, for the user of an environment. */
    public static List<Path> places(Map<String, String> environment, Path home) {
        List<Path> places = new ArrayList<>();
        String claude = environment.getOrDefault("CLAUDE_CONFIG_DIR", "");
        String codex = environment.getOrDefault("CODEX_HOME", "");
        String gemini = environment.getOrDefault("GEMINI_CLI_HOME", "");
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        places.add((claude.isEmpty() ? home.resolve(".claude") : Path.of(claude)).resolve("projects"));
        places.add((codex.isEmpty() ? home.resolve(".codex") : Path.of(codex)).resolve("sessions"));
        places.add(home.resolve(".copilot").resolve("session-state"));
        places.add(
                (gemini.isEmpty() ? home : Path.of(gemini)).resolve(".gemini").resolve("tmp"));
        places.add(
                (data.startsWith("/") ? Path.of(data) : home.resolve(".local").resolve("share"))
                        .resolve("opencode")
                        .resolve("opencode.db"));
        return places.stream().filter(Files::exists).toList();
    }

    /**
     * Finds the transcripts in files and folders, in the order of their start. Links inside a folder are not followed.
     *
     * @param agent only those of this agent; null for all
     * @param skipped takes the files that were named but are no transcript, and what cannot be read, with the reason
     */
    public static List<TranscriptFile> find(
            List<Path> paths, @Nullable TranscriptFormat agent, BiConsumer<Path, String> skipped) {
        List<TranscriptFile> found = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                walk(path, found, skipped);
            } else if (!add(path, found, skipped)) {
                skipped.accept(
                        path, Files.exists(path) ? "not a transcript of a known format" : "there is no such file");
            }
        }
        found.removeIf(file -> agent != null && file.format() != agent);
        found.sort(Comparator.comparing(TranscriptFile::start).thenComparing(TranscriptFile::path));
        return List.copyOf(found);
    }

    private static void walk(Path folder, List<TranscriptFile> found, BiConsumer<Path, String> skipped) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        add(file, found, skipped);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    skipped.accept(file, String.valueOf(e.getMessage()));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            skipped.accept(folder, String.valueOf(e.getMessage()));
        }
    }

    private static boolean add(Path file, List<TranscriptFile> found, BiConsumer<Path, String> skipped) {
        try {
            TranscriptFile transcript = Files.isRegularFile(file) ? of(file) : null;
            if (transcript != null) {
                found.add(transcript);
            }
            return transcript != null;
        } catch (IOException e) {
            skipped.accept(file, String.valueOf(e.getMessage()));
            return true;
        }
    }

    /** Returns the transcript in a file; null if the file has none of a known format. */
    public static @Nullable TranscriptFile of(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (!name.matches("(?s).*\\.(?:jsonl|json|traj|xml|db|log)")) {
            return null;
        }
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
        }
        TranscriptFormat format = format(name, file, text);
        if (format == null) {
            return null;
        }
        Instant start = start(format, text);
        return new TranscriptFile(
                file, format, start == null ? Files.getLastModifiedTime(file).toInstant() : start);
    }

    private static @Nullable Instant start(TranscriptFormat format, String head) {
        if (format == TranscriptFormat.SWE_AGENT || format == TranscriptFormat.OPENCODE) {
            return null;
        }
        Matcher time = (format == TranscriptFormat.JUNIT ? SUITE : TIME).matcher(head);
        if (!time.find()) {
            return null;
        }
        String seconds = time.groupCount() > 1 ? time.group(2) : null;
        return JsonTree.time(seconds == null ? time.group(1) : Double.valueOf(seconds));
    }

    private static @Nullable TranscriptFormat format(String name, Path file, String text) throws IOException {
        if (name.endsWith(".traj.json")) {
            return TranscriptFormat.MINI_SWE_AGENT;
        } else if (name.endsWith(".log")) {
            return name.equals(TERMINAL) && text.contains(RECORDER) ? TranscriptFormat.MINI_SWE_AGENT : null;
        } else if (name.endsWith(".traj")) {
            return TranscriptFormat.SWE_AGENT;
        } else if (name.endsWith(".xml")) {
            return text.contains("<testsuite") ? TranscriptFormat.JUNIT : null;
        } else if (name.endsWith(".db")) {
            return name.startsWith("opencode") && text.startsWith(SQLITE) ? TranscriptFormat.OPENCODE : null;
        } else if (name.endsWith(".json")) {
            boolean chat = text.contains("\"sessionId\"") && text.contains("\"messages\"");
            boolean mini = text.contains("\"mini-swe-agent-1");
            return mini ? TranscriptFormat.MINI_SWE_AGENT : chat ? TranscriptFormat.GEMINI : null;
        }
        return ofLines(file, text.contains("\"tool_use_id\""));
    }

    /** Reads whole lines, since the first one may be longer than the head. */
    private static @Nullable TranscriptFormat ofLines(Path file, boolean hasCalls) throws IOException {
        try (JsonLines lines = new JsonLines(Files.newInputStream(file), new ReadCounts(), HEAD_LINES)) {
            Map<String, Object> line = lines.next(Set.of());
            TranscriptFormat format = null;
            while (line != null && (format = ofLine(line)) == null) {
                line = lines.next(Set.of());
            }
            return format == null && hasCalls ? TranscriptFormat.CLAUDE : format;
        }
    }

    private static @Nullable TranscriptFormat ofLine(Map<String, Object> line) {
        String type = JsonTree.text(line, "type");
        boolean hasSession = line.containsKey("sessionId") || line.containsKey("session_id");
        boolean hasTime = line.containsKey("timestamp");
        if (line.containsKey("payload") && (type.equals("session_meta") || hasTime)) {
            return TranscriptFormat.CODEX;
        } else if (line.containsKey("data") && type.contains(".")) {
            return TranscriptFormat.COPILOT;
        } else if (line.containsKey("error_type") && line.containsKey("message")
                || line.containsKey("pattern") && line.containsKey("solution")) {
            return TranscriptFormat.ERRLORE;
        } else if (hasSession && type.isEmpty() && (line.containsKey("startTime") || line.containsKey("projectHash"))) {
            return TranscriptFormat.GEMINI;
        } else if (!type.isEmpty() && (hasSession || line.containsKey("message"))) {
            return TranscriptFormat.CLAUDE;
        } else if (hasTime && line.containsKey("id") && (line.containsKey("instructions") || line.containsKey("git"))) {
            return TranscriptFormat.CODEX;
        }
        return null;
    }
}
