package dev.xmem.core.answer.recall;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Advice as it was made. */
record SimpleAdvice(
        Status status,
        List<Match> matches,
        Failure.BlockLevel level,
        String text,
        int tokens,
        String reason,
        @Nullable String recordedId)
        implements Advice {
    SimpleAdvice {
        matches = List.copyOf(matches);
    }

    static Advice nothing(String reason) {
        return without(Status.NOTHING_RELEVANT, reason);
    }

    static Advice without(Status status, String reason) {
        return new SimpleAdvice(status, List.of(), Failure.BlockLevel.WARNING, "", 0, reason, null);
    }
}
