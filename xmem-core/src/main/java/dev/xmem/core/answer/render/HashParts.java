package dev.xmem.core.answer.render;

import dev.xmem.spi.ContextHash;

/** A context hash taken apart again: the operation, and what went wrong with it; empty where the hash does not say. */
record HashParts(String operation, String pattern) {

    /** Without the tool's slug the first part is the operation and the rest the pattern; a foreign hash is all pattern. */
    static HashParts of(String tool, String ctxHash) {
        String slug = ContextHash.of(tool, "", "").value() + "-";
        if (!ctxHash.startsWith(slug)) {
            return new HashParts("", ctxHash);
        }
        String rest = ctxHash.substring(slug.length());
        int dash = rest.indexOf('-');
        return dash < 0 ? new HashParts(rest, "") : new HashParts(rest.substring(0, dash), rest.substring(dash + 1));
    }
}
