package dev.xmem.core.recall;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Advice as it was made. */
record StoredAdvice(
        Status status,
        List<Match> matches,
        Failure.BlockLevel level,
        String text,
        int tokens,
        String reason,
        @Nullable String recordedId)
        implements Advice {
    StoredAdvice {
        matches = List.copyOf(matches);
    }

    static Advice nothing(String reason) {
        return without(Status.NOTHING_RELEVANT, reason);
    }

    static Advice without(Status status, String reason) {
        return new StoredAdvice(status, List.of(), Failure.BlockLevel.WARNING, "", 0, reason, null);
    }
}
