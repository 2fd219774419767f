package dev.xmem.core.index;

import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.words.FieldClass;
import dev.xmem.core.words.WordIndex;

/** How much the words of a field count. */
final class FieldClasses {
    private FieldClasses() {}

    /** Hands every text of a line over, with the class of its field. */
    static void visit(LineCodec codec, byte[] line, WordIndex.Fields fields) {
        try {
            codec.texts(line, (field, in, from, length) -> {
                fields.text(of(field), in, from, length);
                return true;
            });
        } catch (MalformedLineException e) {
            // it was read before; a line that changed since has no words
        }
    }

    private static FieldClass of(String field) {
        return switch (field) {
            case "tool" -> FieldClass.TOOL;
            case "pattern_name", "signature", "ctx_hash", "subject", "tags" -> FieldClass.TITLE;
            case "action", "error", "pattern_avoid", "canonical", "content", "key_steps", "triple" -> FieldClass.TEXT;
            default -> FieldClass.DETAIL;
        };
    }
}
