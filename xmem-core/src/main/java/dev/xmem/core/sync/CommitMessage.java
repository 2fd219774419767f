package dev.xmem.core.sync;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.spi.SyncBackend.Chunk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One line that says what is published, as the seed's commits do: {@code X-MEM: Record failure <id> (<tool> <action>)}. */
final class CommitMessage {
    private static final int MAX_CHARS = 120;

    private CommitMessage() {}

    static String of(LineCodec codec, List<Chunk> chunks) {
        List<byte[]> ends = new ArrayList<>();
        long lines = 0;
        String stream = "";
        for (Chunk chunk : chunks) {
            long before = lines;
            int start = 0;
            for (int i = 0; i < chunk.bytes().length; i++) {
                if (chunk.bytes()[i] == '\n') {
                    lines++;
                    boolean last = i == chunk.bytes().length - 1;
                    if (lines == 1 || last) {
                        ends.add(Arrays.copyOfRange(chunk.bytes(), start, i));
                    }
                    start = i + 1;
                }
            }
            stream = before < lines || stream.isEmpty() ? chunk.stream().name() : stream;
        }
        if (lines == 0) {
            return "X-MEM: Rewrite " + stream;
        }
        if (lines == 1) {
            return plain("X-MEM: Record " + one(codec, stream, ends.get(0)));
        }
        String first = text(fields(codec, ends.get(0)), "id");
        String last = text(fields(codec, ends.get(ends.size() - 1)), "id");
        String range = first.isEmpty() || last.isEmpty() ? "" : " (" + first + " … " + last + ")";
        return plain("X-MEM: Record " + lines + " entries" + range);
    }

    private static String one(LineCodec codec, String stream, byte[] line) {
        Map<String, Object> fields = fields(codec, line);
        String type = text(fields, "type");
        Entry.Kind kind = kind(stream, type);
        String what = kind == Entry.Kind.UNKNOWN ? "other" : kind.name().toLowerCase(Locale.ROOT);
        String tool = text(fields, "tool");
        String done =
                text(fields, "action").isEmpty() ? text(fields, "pattern_name") : verb(tool, text(fields, "action"));
        String about = (tool + " " + done).strip();
        return (what + " " + text(fields, "id")).strip() + (about.isEmpty() ? "" : " (" + about + ")");
    }

    private static Entry.Kind kind(String stream, String type) {
        if (type.equals("tool_failure")) {
            return Entry.Kind.FAILURE;
        }
        if (type.equals("tool_success")) {
            return Entry.Kind.SUCCESS;
        }
        Entry.Kind kind = StreamImporter.kind(stream);
        return kind == Entry.Kind.NOTE || kind == Entry.Kind.DIRECTIVE ? kind : Entry.Kind.UNKNOWN;
    }

    /** The first word of an action that is neither the tool again nor an option. */
    private static String verb(String tool, String action) {
        for (String word : action.split("\\s+")) {
            if (!word.equals(tool) && !word.startsWith("-") && !word.isEmpty()) {
                return word;
            }
        }
        return "";
    }

    private static Map<String, Object> fields(LineCodec codec, byte[] line) {
        try {
            return codec.fields(line);
        } catch (MalformedLineException e) {
            return Map.of();
        }
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** Without what could end the line or drive a terminal. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE
                                || Character.getType(c) == Character.LINE_SEPARATOR
                                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR
                        ? ' '
                        : c)
                .limit(MAX_CHARS)
                .forEach(plain::appendCodePoint);
        return plain.toString().strip();
    }
}
