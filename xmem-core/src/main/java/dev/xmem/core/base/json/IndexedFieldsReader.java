package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the facts of one line, field by field. For one thread. */
final class IndexedFieldsReader {
    private final Entry.Kind log;
    private String type = "";
    private @Nullable String id;
    private @Nullable String ts;
    private @Nullable String tool;
    private @Nullable String ctxHash;
    private @Nullable String session;
    private @Nullable String dedupeKey;
    private double usageCount;
    private double confidence;
    private boolean directive;
    private boolean content;
    private List<String> answers = List.of();
    private @Nullable String target;
    private List<String> tags = List.of();
    private List<String> covers = List.of();
    private List<String> sessions = List.of();
    private double occurrences;

    IndexedFieldsReader(Entry.Kind log) {
        this.log = log;
    }

    void field(String name, JsonParser parser) throws IOException {
        switch (name) {
            case "type" -> type = Objects.requireNonNullElse(scalar(parser), "");
            case "id" -> id = scalar(parser);
            case "ts" -> ts = scalar(parser);
            case "tool" -> tool = scalar(parser);
            case "ctx_hash" -> ctxHash = scalar(parser);
            case "session_id" -> session = scalar(parser);
            case "dedupe_key" -> {
                directive = true;
                dedupeKey = scalar(parser);
            }
            case "triple" -> {
                directive = true;
                parser.skipChildren();
            }
            case "usage_count" -> usageCount = number(parser);
            case "confidence" -> confidence = number(parser);
            case "content" -> {
                content = true;
                parser.skipChildren();
            }
            case "tags" -> tags = strings(parser);
            case "answers" -> answers = strings(parser);
            case "target" -> target = scalar(parser);
            case "covers" -> covers = strings(parser);
            case "sessions" -> sessions = strings(parser);
            case "occurrences" -> occurrences = number(parser);
            default -> parser.skipChildren();
        }
    }

    IndexedFields facts() {
        Entry.Kind kind = kind();
        boolean proven = kind == Entry.Kind.SUCCESS
                && usageCount >= IndexedFields.PROVEN_USES
                && confidence >= IndexedFields.PROVEN_CONFIDENCE;
        return new IndexedFields(
                kind,
                type,
                id,
                Math.max(0, LineCodec.millis(ts)),
                tool,
                ctxHash,
                session,
                tags,
                dedupeKey,
                proven,
                kind == Entry.Kind.SUCCESS ? answers : List.of(),
                IndexedFields.target(kind, type, target),
                covers,
                sessions,
                IndexedFields.occurrences(covers, occurrences));
    }

    private static double number(JsonParser parser) throws IOException {
        boolean number = parser.currentToken().isNumeric();
        parser.skipChildren();
        return number ? parser.getDoubleValue() : 0;
    }

    private Entry.Kind kind() {
        if (type.equals("tool_failure")) {
            return Entry.Kind.FAILURE;
        }
        if (type.equals("tool_success")) {
            return Entry.Kind.SUCCESS;
        }
        if (directive && log == Entry.Kind.DIRECTIVE) {
            return Entry.Kind.DIRECTIVE;
        }
        return log == Entry.Kind.NOTE && content ? Entry.Kind.NOTE : Entry.Kind.UNKNOWN;
    }

    private static @Nullable String scalar(JsonParser parser) throws IOException {
        if (parser.currentToken().isScalarValue() && parser.currentToken() != JsonToken.VALUE_NULL) {
            return parser.getText();
        }
        parser.skipChildren();
        return null;
    }

    private static List<String> strings(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            String one = scalar(parser);
            return one == null ? List.of() : List.of(one);
        }
        List<String> strings = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String item = scalar(parser);
            if (item != null) {
                strings.add(item);
            }
        }
        return strings;
    }
}
