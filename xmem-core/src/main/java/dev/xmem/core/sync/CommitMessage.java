package dev.xmem.core.sync;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.spi.SyncBackend.Chunk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The commit messages of the X-MEM protocol, such as {@code X-MEM: Record failure <id> (<tool> <action>)}. */
final class CommitMessage {
    private static final int MAX_CHARS = 120;

    private CommitMessage() {}

    /** The message for a publication: one line of at most 120 characters. */
    static String of(List<Chunk> chunks) {
        List<byte[]> ends = new ArrayList<>();
        long lines = 0;
        String stream = "";
        for (Chunk chunk : chunks) {
            long before = lines;
            int start = 0;
            byte[] last = {};
            for (int i = 0; i < chunk.bytes().length; i++) {
                if (chunk.bytes()[i] == '\n') {
                    byte[] line = Arrays.copyOfRange(chunk.bytes(), start, i);
                    start = i + 1;
                    if (!new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
                        last = line;
                        if (++lines == 1) {
                            ends.add(line);
                        }
                    }
                }
            }
            if (last.length > 0) {
                ends.add(last);
            }
            stream = before < lines || stream.isEmpty() ? chunk.stream().name() : stream;
        }
        if (lines == 0) {
            return "X-MEM: Rewrite " + stream;
        }
        if (lines == 1) {
            return plain("X-MEM: Record " + entry(stream, ends.get(0)));
        }
        String first = JsonLinesFile.text(fields(ends.get(0)), "id");
        String last = JsonLinesFile.text(fields(ends.get(ends.size() - 1)), "id");
        boolean isRange = !first.isEmpty() && !last.isEmpty() && !first.equals(last); // two replicas may count alike
        String range = !isRange ? "" : " (" + first + " … " + last + ")";
        return plain("X-MEM: Record " + lines + " entries" + range);
    }

    private static String entry(String stream, byte[] line) {
        Map<String, Object> fields = fields(line);
        String type = JsonLinesFile.text(fields, "type");
        Entry.Kind kind = kind(stream, type);
        String kindName = kind == Entry.Kind.UNKNOWN ? "other" : kind.name().toLowerCase(Locale.ROOT);
        String tool = JsonLinesFile.text(fields, "tool");
        String action = JsonLinesFile.text(fields, "action");
        String about = (tool + " "
                        + (action.isEmpty() ? JsonLinesFile.text(fields, "pattern_name") : verb(tool, action)))
                .strip();
        return (kindName + " " + JsonLinesFile.text(fields, "id")).strip()
                + (about.isEmpty() ? "" : " (" + about + ")");
    }

    private static Entry.Kind kind(String stream, String type) {
        Entry.Kind kind = StreamImporter.kind(stream);
        return switch (type) {
            case "tool_failure" -> Entry.Kind.FAILURE;
            case "tool_success" -> Entry.Kind.SUCCESS;
            default -> kind == Entry.Kind.NOTE || kind == Entry.Kind.DIRECTIVE ? kind : Entry.Kind.UNKNOWN;
        };
    }

    /** The first word of an action that is neither the tool nor an option. */
    private static String verb(String tool, String action) {
        for (String word : action.split("\\s+")) {
            if (!word.equals(tool) && !word.startsWith("-") && !word.isEmpty()) {
                return word;
            }
        }
        return "";
    }

    private static Map<String, Object> fields(byte[] line) {
        try {
            return LineCodec.fields(line);
        } catch (MalformedLineException e) {
            return Map.of();
        }
    }

    /** Replaces control and format characters and line separators by spaces, and cuts the text. */
    private static String plain(String text) {
        String plain = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", " ");
        boolean cut = plain.codePointCount(0, plain.length()) > MAX_CHARS;
        return (cut ? plain.substring(0, plain.offsetByCodePoints(0, MAX_CHARS)) : plain).strip();
    }
}
