package dev.xmem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known about a call. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface Advice {
    /** Whether there is advice, and if not, why. */
    Status status();

    /** Whether {@link #text()} is empty. */
    default boolean isEmpty() {
        return text().isEmpty();
    }

    /** The entries behind it, best first. */
    List<Match> matches();

    /** The highest block level among them; {@link Failure.BlockLevel#WARNING} if there is none. */
    Failure.BlockLevel level();

    /** What to show the model: empty, or text that begins with a newline, so that call sites can append it. */
    String text();

    /** What {@link #text()} costs, by the store's token estimator. */
    int tokens();

    /** One sentence for a person: why this, or why nothing. */
    String reason();

    /** The id under which the failure was recorded; null if it was not. A guard records soon: null until then. */
    @Nullable String recordedId();

    /** Whether there is advice, and if not, why. */
    enum Status {
        /** There is advice. */
        FOUND,
        /** The memory was asked and knows nothing that is relevant enough. */
        NOTHING_RELEVANT,
        /** The failure is not worth remembering: a typo, an interrupt, a search without hits. */
        TRIVIAL,
        /** Something is known, but it did harm before. */
        WITHHELD,
        /** The memory could not be asked in time. */
        UNAVAILABLE
    }
}
