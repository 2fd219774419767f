package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The library whose stack frame is nearest to a failed connection. An exception of a language names no library, but a
 * driver of a database and a client of a broker need different fixes. Decision: docs/adr/0130-frame-of-the-library.md.
 */
final class StackFrames {
    /** Programs that run the code of others. */
    private static final Set<String> RUNNERS = WordTables.list("frame-runners");

    private static final Set<String> LANGUAGES = WordTables.list("frame-languages");
    private static final List<String> FOLDERS = List.of("node_modules/", "site-packages/", "dist-packages/");
    private static final List<String> SOURCES =
            List.of(".java:", ".kt:", ".scala:", ".groovy:", "Native Method", "Unknown Source");

    private static final String CAUSED = "Caused by: ";

    private StackFrames() {}

    /**
     * Keeps the frame of the library and, since a frame of the JVM does not tell a library from the program, the next
     * frame of another package, if a connection failed.
     */
    static void keep(List<ScoredLine> lines) {
        boolean failed = false;
        for (ScoredLine line : isTrace(lines) ? lines : List.<ScoredLine>of()) {
            PhraseMatcher.PhraseHit hit = line.rank > SalientLines.NOISE ? line.hit() : null;
            failed |= hit != null && CauseLexicon.isOfConnection(hit.value().name());
        }
        for (ScoredLine frame : failed ? nearest(lines) : List.<ScoredLine>of()) {
            frame.rank = Math.max(frame.rank, SalientLines.TRAILER);
        }
    }

    /** The library of the frame that was kept, or null. */
    static @Nullable String library(List<ScoredLine> lines) {
        List<ScoredLine> found = isTrace(lines) ? nearest(lines) : List.of();
        return found.isEmpty() || found.get(0).rank < SalientLines.TRAILER ? null : owner(found.get(0).text);
    }

    private static boolean isTrace(List<ScoredLine> lines) {
        for (ScoredLine line : lines) {
            if (isFrame(line.text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFrame(String text) {
        return text.startsWith("at ") && text.length() > 3 || text.startsWith("File \"");
    }

    /** The frame of the library and that of its caller, if frames need it to tell them apart; or nothing. */
    private static List<ScoredLine> nearest(List<ScoredLine> lines) {
        List<ScoredLine> found = new ArrayList<>(2);
        for (ScoredLine line : inwardFirst(lines)) {
            String owner = owner(line.text);
            if (owner == null) {
                return List.of();
            }
            if (owner.isEmpty() || RUNNERS.contains(owner)) {
                continue;
            }
            boolean first = found.isEmpty();
            if (first || !owner.equals(owner(found.get(0).text))) {
                found.add(line);
            }
            if (!first && found.size() > 1 || !isOfJvm(line.text)) {
                return found;
            }
        }
        return List.of();
    }

    /** The frames, that where the innermost exception was thrown first. */
    private static List<ScoredLine> inwardFirst(List<ScoredLine> lines) {
        List<ScoredLine> frames = new ArrayList<>();
        int end = lines.size();
        while (end > 0) {
            int start = end - 1;
            while (start > 0 && !lines.get(start).text.startsWith(CAUSED)) {
                start--;
            }
            for (ScoredLine line : lines.subList(start, end)) {
                if (line.text.startsWith("at ")) {
                    frames.add(line);
                } else if (line.text.startsWith("File \"")) {
                    frames.add(0, line);
                }
            }
            end = start;
        }
        return frames;
    }

    private static boolean isOfJvm(String frame) {
        int open = frame.startsWith("at ") ? frame.lastIndexOf('(') : -1;
        return open > 0 && SOURCES.stream().anyMatch(source -> frame.indexOf(source, open) > 0);
    }

    /** The library that a frame is of; empty for the language and for clients of any service, null for the program. */
    private static @Nullable String owner(String frame) {
        for (String folder : FOLDERS) {
            int at = frame.lastIndexOf(folder);
            if (at >= 0) {
                return HostNames.ofFolder(frame.substring(at + folder.length()));
            }
        }
        if (isOfJvm(frame)) {
            int open = frame.lastIndexOf('(');
            int dot = frame.lastIndexOf('.', open);
            int from = Math.max(frame.lastIndexOf('/', open) + 1, 3);
            return dot < from ? null : HostNames.ofClass(frame.substring(from, dot));
        }
        return LANGUAGES.stream().anyMatch(frame::contains) ? "" : null;
    }
}
