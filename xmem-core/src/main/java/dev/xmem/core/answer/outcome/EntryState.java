package dev.xmem.core.answer.outcome;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all later lines say of an entry together. Immutable.
 *
 * @param worked sessions whose vote is that it helped
 * @param failed sessions whose vote is that it did not
 * @param irrelevant sessions whose vote is that it had nothing to do with the matter
 * @param lastWorkedMillis when it helped last; 0 for never
 * @param pinned whether it is shown before others
 * @param dismissed why it is not shown any more; null if it is shown
 * @param dismissedMillis when it was dismissed; 0 if it is shown
 * @param supersededBy the entry that replaces it; null if none does
 * @param tagged changes of its tags, one after the other
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
    /** Of an entry of which nothing was said. */
    public static final EntryState NONE = new EntryState(0, 0, 0, 0, false, null, 0, null, List.of());

    /** A change of tags. */
    public record Tagged(List<String> add, List<String> remove) {}

    /** Whether nothing was said. */
    @SuppressWarnings("ReferenceEquality") // nearly always it is that one, and equality of records takes time at first
    public boolean isNone() {
        return this == NONE || equals(NONE);
    }

    /** Whether it is not shown any more. */
    public boolean hidden() {
        return dismissed != null || supersededBy != null;
    }

    /** How many sessions followed it. */
    public int followed() {
        return worked + failed;
    }

    /** The tags of an entry that came with these. */
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

    /** How reliable an entry is that came with this confidence and these uses. */
    public double confidence(double prior, long uses) {
        return BetaDistribution.prior(prior, uses).and(worked, failed).mean();
    }
}
