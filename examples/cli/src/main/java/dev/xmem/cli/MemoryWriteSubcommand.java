package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Note;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code xmem memory-write}: appends a note to the journal, with the interface of the memory skill's shell script. */
@Command(
        name = "memory-write",
        aliases = "memory_write",
        description = {
            "Appends one note to the journal.",
            "Reads one JSON object {type, content, tags?, meta?} from standard input and appends one line"
                    + " {ts, type, content, tags, meta}, with null for missing fields.",
            "The journal is $MEMORY_FILE, or ~/.codex/memory.jsonl, and is created if it is missing; with"
                    + " --store it is the journal of that store. The lock of a journal without a store is in the hidden"
                    + " directory .memory.jsonl.xmem beside it."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  printf '%%s' '{\"type\":\"note\",\"content\":\"User prefers Python.\",\"tags\":[\"preference\"]}' |",
            "    xmem memory-write",
            "      {\"ok\":true,\"ts\":\"…\"}",
            "Invalid input: {\"error\":\"…\"} on standard output, exit code 1, and nothing is written."
        })
final class MemoryWriteSubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        return LineLoop.single(root.terminal(), this::write);
    }

    private String write(String text) throws LineException {
        Request request = new Request(text);
        JsonText.read("the input", text, request::read);
        Note.Draft draft = request.draft();
        if (!request.unknown.isEmpty()) {
            root.terminal().notice(root.json, "unknown fields ignored: " + String.join(", ", request.unknown));
        }
        try (XMemStore store = root.stores().journalForWriting()) {
            Note note = BusyRetry.call(() -> store.writeNote(draft));
            return JsonText.object(g -> {
                g.writeBooleanField("ok", true);
                g.writeStringField("ts", note.ts().toString());
            });
        }
    }

    /** The fields of the request. */
    private static final class Request {
        private final String text;
        private final Set<String> unknown = new TreeSet<>();
        private @Nullable String type;
        private @Nullable String content;
        private @Nullable String meta;
        private List<String> tags = List.of();

        Request(String text) {
            this.text = text;
        }

        void read(String name, JsonParser p) throws IOException, LineException {
            boolean none = p.currentToken() == JsonToken.VALUE_NULL;
            switch (name) {
                case "type" -> type = none ? null : JsonText.string(name, p);
                case "content" -> content = none ? null : JsonText.string(name, p);
                case "tags" -> tags = none ? List.of() : JsonText.strings(name, p);
                case "meta" -> meta = none ? null : object(name, p);
                default -> unknown.add(name);
            }
        }

        private String object(String name, JsonParser p) throws IOException, LineException {
            if (p.currentToken() != JsonToken.START_OBJECT) {
                throw new LineException(name + " must be an object, or null");
            }
            int from = JsonText.start(p);
            return text.substring(from, JsonText.end(p));
        }

        Note.Draft draft() throws LineException {
            if (type == null || type.isBlank()) {
                throw new LineException("type is missing: a word such as \"note\", \"fact\", \"task\" or \"todo\"");
            }
            if (content == null) {
                throw new LineException("content is missing: the text to remember");
            }
            Note.Draft draft = Note.of(type, content);
            draft = tags.isEmpty() ? draft : draft.tags(tags.toArray(String[]::new));
            return meta == null ? draft : draft.meta(meta);
        }
    }
}
