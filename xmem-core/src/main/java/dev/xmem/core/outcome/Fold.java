package dev.xmem.core.outcome;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The events of one entry: a set, so that order, repetition and the files they stand in do not matter. */
final class Fold {
    private final TreeSet<Event> events = new TreeSet<>(Event.ORDER);

    Fold add(Event event) {
        events.add(event);
        return this;
    }

    Fold addAll(Fold other) {
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
        for (Event event : events) {
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
    State state(Predicate<String> isThere) {
        Tally tally = new Tally();
        for (Event event : events) {
            String successor = event.replaces() ? event.detail() : null;
            if (successor == null || isThere.test(successor)) {
                tally.take(event);
            }
        }
        return tally.state();
    }

    private static final class Tally {
        private final Set<String> voters = new HashSet<>();
        private final List<State.Tagged> tagged = new ArrayList<>();
        private int worked;
        private int failed;
        private int irrelevant;
        private long lastWorkedMillis;
        private boolean pinned;
        private @Nullable String dismissed;
        private long dismissedMillis;
        private @Nullable String supersededBy;

        void take(Event event) {
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

        private void vote(Event event) {
            switch (event.said()) {
                case "worked" -> {
                    worked++;
                    lastWorkedMillis = Math.max(lastWorkedMillis, event.millis());
                }
                case "failed" -> failed++;
                default -> irrelevant++;
            }
        }

        private void amend(Event event) {
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
                case "retag" -> tagged.add(new State.Tagged(event.add(), event.remove()));
                default -> {
                    // what a newer version says; it is kept on disk
                }
            }
        }

        State state() {
            return new State(
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
