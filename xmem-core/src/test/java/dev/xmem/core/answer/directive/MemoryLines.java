package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Lines of {@code memories.ndjson} as another tool writes them, and what a store makes of them. */
public final class MemoryLines {
    /** Minute 0 of the lines' times. */
    public static final Instant START = Instant.parse("2026-02-14T10:00:00Z");

    private MemoryLines() {}

    /**
     * A line.
     *
     * @param said minute, scope, kind and the parts of the triple, such as {@code 3 local rule build|tool|maven}
     */
    public static String line(String id, int strength, String tags, String said) {
        String[] parts = said.strip().split(" ", 4);
        String[] triple = parts[3].split("\\|");
        return ("{'id':'" + id + "','ts':'" + START.plusSeconds(60L * Integer.parseInt(parts[0])) + "','scope':'"
                        + parts[1]
                        + "','kind':'" + parts[2] + "','triple':{'subject':'" + triple[0] + "','predicate':'"
                        + triple[1]
                        + "','object':'" + triple[2] + "'},'canonical':'" + String.join(" ", triple) + "','strength':"
                        + strength + ",'source':'user_direct','tags':[" + tags + "],'dedupe_key':'"
                        + parts[3].strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT) + "'}")
                .replace('\'', '"');
    }

    /** Adds lines to a file, made if it is not there. */
    public static void append(Path file, List<String> lines) {
        try {
            Files.createDirectories(file.getParent());
            String text = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directives that hold, in the order in which they are shown for a request. */
    public static List<Directive> ranked(XMemStore store, String request) {
        Query all = request.isEmpty() ? Query.all() : Query.words(request);
        return store.search(all.kind(Entry.Kind.DIRECTIVE)).matches().stream()
                .map(match -> (Directive) match.entry())
                .toList();
    }
}
