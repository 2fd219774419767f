package dev.xmem.core.answer.outcome;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The events of one entry: a set, so that order, repetition and the files they stand in do not matter. */
final class EventFold {
    private final TreeSet<EntryEvent> events = new TreeSet<>(EntryEvent.ORDER);

    EventFold add(EntryEvent event) {
        events.add(event);
        return this;
    }

    EventFold addAll(EventFold other) {
        events.addAll(other.events);
        return this;
    }

    /** Whether a session has voted. */
    boolean hasVoteOf(String session) {
        return events.stream().anyMatch(event -> session.equals(event.session()));
    }

    /** The entries that are said to replace this one. */
    Set<String> successors() {
        Set<String> successors = new TreeSet<>();
        for (EntryEvent event : events) {
            if (event.replaces() && event.detail() != null) {
                successors.add(event.detail());
            }
        }
        return successors;
    }

    /**
     * What the events say together.
     *
     * @param isThere whether an entry is there that is said to replace this one; one that is not replaces nothing
     */
    EntryState state(Predicate<String> isThere) {
        Tally tally = new Tally();
        for (EntryEvent event : events) {
            String successor = event.replaces() ? event.detail() : null;
            if (successor == null || isThere.test(successor)) {
                tally.take(event);
            }
        }
        return tally.state();
    }

    private static final class Tally {
        private final Set<String> voters = new HashSet<>();
        private final List<EntryState.Tagged> tagged = new ArrayList<>();
        private int worked;
        private int failed;
        private int irrelevant;
        private long lastWorkedMillis;
        private boolean pinned;
        private @Nullable String dismissed;
        private long dismissedMillis;
        private @Nullable String supersededBy;

        void take(EntryEvent event) {
            String voter = event.session();
            if (voter == null) {
                amend(event);
            } else if (isVote(event.said()) && voters.add(voter)) {
                vote(event);
            }
        }

        private static boolean isVote(String said) {
            return said.equals("worked") || said.equals("failed") || said.equals("irrelevant");
        }

        private void vote(EntryEvent event) {
            switch (event.said()) {
                case "worked" -> {
                    worked++;
                    lastWorkedMillis = Math.max(lastWorkedMillis, event.millis());
                }
                case "failed" -> failed++;
                default -> irrelevant++;
            }
        }

        private void amend(EntryEvent event) {
            switch (event.said()) {
                case "dismiss" -> {
                    dismissed = event.detail() == null ? "" : event.detail();
                    dismissedMillis = event.millis();
                    pinned = false;
                }
                case "pin" -> {
                    dismissed = null;
                    dismissedMillis = 0;
                    pinned = true;
                }
                case "supersede" -> supersededBy = event.detail();
                case "retag" -> tagged.add(new EntryState.Tagged(event.add(), event.remove()));
                default -> {
                    // what a newer version says; it is kept on disk
                }
            }
        }

        EntryState state() {
            return new EntryState(
                    worked,
                    failed,
                    irrelevant,
                    lastWorkedMillis,
                    pinned,
                    dismissed,
                    dismissedMillis,
                    supersededBy,
                    List.copyOf(tagged));
        }
    }
}
