package dev.xmem.core.answer.outcome;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The set of events of one entry. Order, repetition and the files they are in make no difference. */
final class EventFold {
    private final TreeSet<EntryEvent> events = new TreeSet<>(EntryEvent.ORDER);

    void add(EntryEvent event) {
        events.add(event);
    }

    boolean hasVoteOf(String session) {
        return events.stream().anyMatch(event -> session.equals(event.session()));
    }

    /** The ids of the entries that are said to replace this one. */
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
     * Folds the events: the first vote of each session, the last pin or dismissal, the last replacement, all retags.
     *
     * @param exists whether an entry exists; a replacement by one that does not is ignored
     */
    EntryState state(Predicate<String> exists) {
        Map<String, EntryEvent> votes = new HashMap<>();
        List<EntryState.Tagged> tagged = new ArrayList<>();
        EntryEvent visibility = null;
        String supersededBy = null;
        for (EntryEvent event : events) {
            if (event.session() != null) {
                if (event.isVote()) {
                    votes.putIfAbsent(event.session(), event);
                }
                continue;
            }
            switch (event.said()) {
                case "dismiss", "pin" -> visibility = event;
                case "restore" -> {
                    visibility = null;
                    supersededBy = null;
                }
                case "supersede" -> {
                    boolean ignored = event.detail() != null && !exists.test(event.detail());
                    supersededBy = ignored ? supersededBy : event.detail();
                }
                case "retag" -> tagged.add(new EntryState.Tagged(event.add(), event.remove()));
                default -> {
                    // an amendment of a newer version; it stays in the log
                }
            }
        }
        boolean dismissed = visibility != null && visibility.said().equals("dismiss");
        String why = visibility == null || visibility.detail() == null ? "" : visibility.detail();
        return new EntryState(
                count(votes.values(), "worked"),
                count(votes.values(), "failed"),
                count(votes.values(), "irrelevant"),
                lastWorkedMillis(votes.values()),
                visibility != null && !dismissed,
                dismissed ? why : null,
                visibility != null && dismissed ? visibility.millis() : 0,
                supersededBy,
                List.copyOf(tagged));
    }

    private static int count(Collection<EntryEvent> votes, String said) {
        return (int) votes.stream().filter(vote -> vote.said().equals(said)).count();
    }

    private static long lastWorkedMillis(Collection<EntryEvent> votes) {
        return votes.stream()
                .filter(vote -> vote.said().equals("worked"))
                .mapToLong(EntryEvent::millis)
                .reduce(0, Math::max);
    }
}
