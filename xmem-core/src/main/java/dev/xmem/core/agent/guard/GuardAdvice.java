package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a guard answers. The id of the record is there once it was written. */
record GuardAdvice(
        Status status,
        List<Match> matches,
        Failure.BlockLevel level,
        String text,
        int tokens,
        String reason,
        @Nullable PendingRecord recording)
        implements Advice {
    private static final int ENTRY_BYTES = 256;

    GuardAdvice {
        matches = List.copyOf(matches);
    }

    static GuardAdvice silent(Status status, String reason) {
        return new GuardAdvice(status, List.of(), Failure.BlockLevel.WARNING, "", 0, reason, null);
    }

    /** The same, but for its level. */
    static GuardAdvice of(Advice advice, Failure.BlockLevel level, @Nullable PendingRecord recording) {
        return new GuardAdvice(
                advice.status(), advice.matches(), level, advice.text(), advice.tokens(), advice.reason(), recording);
    }

    @Override
    public @Nullable String recordedId() {
        return recording == null ? null : recording.id();
    }

    /** About how many bytes it holds. */
    static int weight(Advice advice) {
        int bytes = ENTRY_BYTES + 2 * (advice.text().length() + advice.reason().length());
        for (Match match : advice.matches()) {
            bytes += ENTRY_BYTES + match.entry().json().length();
        }
        return bytes;
    }
}
