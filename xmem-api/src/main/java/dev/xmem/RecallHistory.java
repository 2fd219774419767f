package dev.xmem;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

/**
 * What the guards of a store told, and what became of it. It is kept for this machine in a bounded log: the newest
 * recalls in full, the older ones as counts of their day. Immutable and thread-safe; implemented only by xmem, methods
 * may be added.
 */
public interface RecallHistory {
    /** Returns the newest recalls that the log still has, in the order in which they were written. */
    List<Recalled> recalls();

    /** Returns the counts of each day with a recall, oldest first: at most 400 days, {@link #recalls} included. */
    List<Day> days();

    /** Returns the number of failures that guards judged, on all {@link #days}. */
    default long failures() {
        return days().stream().mapToLong(Day::failures).sum();
    }

    /** Returns how many of the {@link #failures} were of a family that the store or the session had met before. */
    default long repeats() {
        return days().stream().mapToLong(Day::repeats).sum();
    }

    /** Returns the number of answers with advice, on all {@link #days}. */
    default long told() {
        return days().stream().mapToLong(Day::told).sum();
    }

    /** Returns how often a call with advice worked later in its session, on all {@link #days}. */
    default long worked() {
        return days().stream().mapToLong(Day::worked).sum();
    }

    /** Returns the tokens of all advice, on all {@link #days}. */
    default long tokens() {
        return days().stream().mapToLong(Day::tokens).sum();
    }

    /** One answer of a guard. Implemented only by xmem, methods may be added. */
    interface Recalled {
        /** Returns the time of the answer. */
        Instant ts();

        /** Returns a hash of the session's id; empty if the call had no session. */
        String session();

        /** Returns which method of the guard answered. */
        Door door();

        /** Returns the context hash of the failure; empty if the answer is about several. */
        String ctxHash();

        /** Returns whether the store or the session had met the family before. */
        boolean isRepeat();

        /** Returns the ids of the entries that were told, best first; empty if nothing was told. */
        List<String> ids();

        /** Returns what was told, without its border; empty if nothing was, or if the log no longer has the text. */
        String text();

        /** Returns the tokens of the advice; 0 if nothing was told. */
        int tokens();

        /** Returns what became of it. */
        Result result();

        /** Returns the ids of the entries whose advice was followed before the call worked. */
        Set<String> followed();
    }

    /** The method of {@link ToolGuard} that answered. */
    enum Door {
        /** {@link ToolGuard#failed}. */
        FAILED,
        /** {@link ToolGuard#before}. */
        BEFORE,
        /** {@link ToolGuard#recall}. */
        ASKED,
        /** {@link ToolGuard#userSaid}. */
        USER
    }

    /** What happened in the session after an answer. */
    enum Result {
        /** Nothing more is known. */
        OPEN,
        /** A later call that does the same work succeeded. */
        WORKED,
        /** The family failed again, and nothing worked since. */
        AGAIN
    }

    /** The counts of one day. Implemented only by xmem, methods may be added. */
    interface Day {
        /** Returns the day, in UTC. */
        LocalDate day();

        /** Returns the number of failures that were judged. */
        long failures();

        /** Returns how many of them were of a family that was met before. */
        long repeats();

        /** Returns the number of answers with advice. */
        long told();

        /** Returns how many of these answers preceded a call that worked. */
        long worked();

        /** Returns the tokens of the advice. */
        long tokens();

        /** Returns the number of sessions that were told something; one may count twice if the log was shortened. */
        long sessions();
    }
}
