package dev.xmem.core.sync;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a round did.
 *
 * @param replica who this store is; empty if that could not be found out
 * @param published lines that were published
 * @param imported lines that were taken in
 * @param pending own lines that are not published
 * @param refused what was found at the backend and left out, a sentence each
 * @param failure what ended it early; null if nothing did
 */
record RoundResult(
        String replica,
        long published,
        long imported,
        long pending,
        List<String> refused,
        @Nullable Exception failure) {}
