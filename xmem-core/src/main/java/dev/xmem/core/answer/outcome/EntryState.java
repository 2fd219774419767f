package dev.xmem.core.answer.outcome;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folded events of an entry. Immutable.
 *
 * @param worked sessions that voted that it helped
 * @param failed sessions that voted that it did not help
 * @param irrelevant sessions that voted that it is irrelevant
 * @param lastWorkedMillis when it last helped; 0 for never
 * @param pinned whether it is shown before others
 * @param dismissed why it is hidden; null if it is not dismissed
 * @param dismissedMillis when it was dismissed; 0 if it is not
 * @param supersededBy the id of the entry that replaces it; null if there is none
 * @param tagged the changes of its tags, in order
 */
public record EntryState(
        int worked,
        int failed,
        int irrelevant,
        long lastWorkedMillis,
        boolean pinned,
        @Nullable String dismissed,
        long dismissedMillis,
        @Nullable String supersededBy,
        List<Tagged> tagged) {
    /** The state of an entry without events. */
    public static final EntryState NONE = new EntryState(0, 0, 0, 0, false, null, 0, null, List.of());

    /** A change of tags. */
    public record Tagged(List<String> add, List<String> remove) {}

    @SuppressWarnings("ReferenceEquality") // nearly always the same object; the first equals of a record is slow
    public boolean isNone() {
        return this == NONE || equals(NONE);
    }

    /** Whether the entry is dismissed or superseded. */
    public boolean hidden() {
        return dismissed != null || supersededBy != null;
    }

    /** The number of sessions that followed the entry. */
    public int followed() {
        return worked + failed;
    }

    /** The tags of an entry whose line has these tags. */
    public List<String> tags(List<String> own) {
        if (tagged.isEmpty()) {
            return own;
        }
        Set<String> tags = new LinkedHashSet<>(own);
        for (Tagged change : tagged) {
            tags.addAll(change.add());
            change.remove().forEach(gone -> tags.removeIf(gone::equalsIgnoreCase));
        }
        return new ArrayList<>(tags);
    }

    /** The confidence of an entry whose line has this confidence and usage count: the mean of the posterior. */
    public double confidence(double prior, long uses) {
        return BetaDistribution.prior(prior, uses).and(worked, failed).mean();
    }
}
