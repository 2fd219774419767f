package dev.xmem;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Advice on a tool call. Immutable and thread-safe; implemented only by xmem, methods may be added. */
public interface Advice {
    /** Returns whether there is advice, and if not, why. */
    Status status();

    /** Returns whether {@link #text()} is empty. */
    default boolean isEmpty() {
        return text().isEmpty();
    }

    /** Returns the entries behind the advice, best first. */
    List<Match> matches();

    /** Returns the highest block level of the entries; {@link Failure.BlockLevel#WARNING} if there are none. */
    Failure.BlockLevel level();

    /**
     * Returns the text for the model: empty, or beginning with a newline, so that a caller can append it to a message.
     */
    String text();

    /** Returns the tokens of {@link #text()}, counted by the store's token estimator. */
    int tokens();

    /** Returns one sentence that explains to a user why there is this advice, or none. */
    String reason();

    /**
     * Returns the entries of the failure's family that are not in {@link #matches()}, by id, with a sentence that
     * explains to a user why each was left out. Advice of a guard has none.
     */
    default Map<String, String> leftOut() {
        return Map.of();
    }

    /**
     * Returns the id under which the failure was recorded; null if it was not. A guard records in the background, so
     * the result is null until then.
     */
    @Nullable String recordedId();

    /**
     * Returns how often this call has failed unchanged in its session, with the same message and including this
     * failure; 0 if that is not known, because the call has no session or the advice is not about a failure.
     */
    default int repeats() {
        return 0;
    }

    /**
     * Returns how often the failure's family was seen before, in this store and by its peers; 0 if there is no advice,
     * or the family tells no cause.
     */
    default int seen() {
        return 0;
    }

    /**
     * Returns the context hash of the failure that a guard judged, also if there is no advice; null if the call did not
     * fail, was not worth a look, or could not be looked up in time. Advice of a store has none.
     */
    default @Nullable String ctxHash() {
        return null;
    }

    /** The status of advice. */
    enum Status {
        /** There is advice. */
        FOUND,
        /** The memory has nothing that is relevant enough. */
        NOTHING_RELEVANT,
        /** The failure is not worth recording, such as a typo, an interrupt, or a search without hits. */
        TRIVIAL,
        /** There is advice, but it was withheld because it did harm before. */
        WITHHELD,
        /** The memory could not answer, or not in time. */
        UNAVAILABLE
    }
}
