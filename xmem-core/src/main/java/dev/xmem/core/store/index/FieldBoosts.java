package dev.xmem.core.store.index;

import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.MemoryTextIndex;

/** How much the words of a field count. */
final class FieldBoosts {
    private FieldBoosts() {}

    /** Hands every text of a line over, with the class of its field. */
    static void visit(LineCodec codec, byte[] line, MemoryTextIndex.Fields fields) {
        try {
            codec.texts(line, (field, in, from, length) -> {
                fields.text(of(field), in, from, length);
                return true;
            });
        } catch (MalformedLineException e) {
            // it was read before; a line that changed since has no words
        }
    }

    private static FieldBoost of(String field) {
        return switch (field) {
            case "tool" -> FieldBoost.TOOL;
            case "pattern_name", "signature", "ctx_hash", "subject", "tags" -> FieldBoost.TITLE;
            case "action", "error", "pattern_avoid", "canonical", "content", "key_steps", "triple" -> FieldBoost.TEXT;
            default -> FieldBoost.DETAIL;
        };
    }
}
