package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Note;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code xmem memory-write}: one note into the journal, as the shell script of the memory skill takes it. */
@Command(
        name = "memory-write",
        aliases = "memory_write",
        description = {
            "Appends one note to the journal: one JSON object {type, content, tags?, meta?} on standard input, one line"
                    + " {ts, type, content, tags, meta} in the file, null for what is not given.",
            "The journal is $MEMORY_FILE, else ~/.codex/memory.jsonl, made if it is not there; with --store it is that"
                    + " store's own. The lock of a journal without a store is in the hidden folder .memory.jsonl.xmem"
                    + " beside it."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  printf '%%s' '{\"type\":\"note\",\"content\":\"User prefers Python.\",\"tags\":[\"preference\"]}' |"
                    + " xmem memory-write",
            "      {\"ok\":true,\"ts\":\"…\"}",
            "Anything else is answered by {\"error\":\"…\"} on standard output, with exit code 1, and nothing is written."
        })
final class MemoryWriteCommand implements Callable<Integer> {
    private final Root root;

    MemoryWriteCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        return Exchange.once(root.terminal(), this::write);
    }

    private String write(String text) throws LineException {
        Given given = new Given(text);
        Json.read("the input", text, given::read);
        Note.Draft draft = given.draft();
        if (!given.unknown.isEmpty()) {
            root.terminal().notice(root.json, "not known to a note and left out: " + String.join(", ", given.unknown));
        }
        try (XMemStore store = root.stores().journalToWrite()) {
            Note note = Patience.until(() -> store.writeNote(draft));
            return Json.object(g -> {
                g.writeBooleanField("ok", true);
                g.writeStringField("ts", note.ts().toString());
            });
        }
    }

    /** The fields of the input. */
    private static final class Given {
        private final String text;
        private final Set<String> unknown = new TreeSet<>();
        private @Nullable String type;
        private @Nullable String content;
        private @Nullable String meta;
        private List<String> tags = List.of();

        Given(String text) {
            this.text = text;
        }

        void read(String name, JsonParser p) throws IOException, LineException {
            boolean none = p.currentToken() == JsonToken.VALUE_NULL;
            switch (name) {
                case "type" -> type = none ? null : Json.string(name, p);
                case "content" -> content = none ? null : Json.string(name, p);
                case "tags" -> tags = none ? List.of() : Json.strings(name, p);
                case "meta" -> meta = none ? null : object(name, p);
                default -> unknown.add(name);
            }
        }

        private String object(String name, JsonParser p) throws IOException, LineException {
            if (p.currentToken() != JsonToken.START_OBJECT) {
                throw new LineException(name + " must be an object, or null");
            }
            int from = Json.start(p);
            return text.substring(from, Json.end(p));
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
