package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.Success;
import dev.xmem.core.base.json.RawJson;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

    private static final List<String> FIELDS = List.of("outcomes", "pinned", "dismissed", "superseded_by");

    /** A change of tags. */
    public record Tagged(List<String> add, List<String> remove) {}

    @SuppressWarnings("ReferenceEquality") // nearly always the same object; the first equals of a record is slow
    public boolean isNone() {
        return this == NONE || equals(NONE);
    }

    /** The votes on two entries that say the same; the rest is of this one. */
    public EntryState and(EntryState other) {
        return new EntryState(
                worked + other.worked,
                failed + other.failed,
                irrelevant + other.irrelevant,
                Math.max(lastWorkedMillis, other.lastWorkedMillis),
                pinned || other.pinned,
                dismissed,
                dismissedMillis,
                supersededBy,
                tagged);
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

    /** Rounds to twelve decimals, so that the sums of doubles read 0.8 and not 0.7999999999999999. */
    private static double withoutNoise(double confidence) {
        return Math.rint(confidence * 1e12) / 1e12;
    }

    /** Writes the state into the fields of an entry's line. */
    void put(Map<String, @Nullable Object> fields, Entry entry) {
        FIELDS.forEach(fields::remove);
        if (!tagged.isEmpty()) {
            fields.put("tags", tags(entry.tags()));
        }
        if (entry instanceof Success success && followed() > 0) {
            fields.put("confidence", withoutNoise(confidence(success.confidence(), success.usageCount())));
            fields.put("usage_count", success.usageCount() + worked);
        }
        if (followed() + irrelevant > 0) {
            String votes = "{\"worked\":" + worked + ",\"failed\":" + failed + ",\"irrelevant\":" + irrelevant + "}";
            fields.put("outcomes", new RawJson(votes));
        }
        if (pinned) {
            fields.put("pinned", new RawJson("true"));
        }
        if (dismissed != null) {
            fields.put("dismissed", dismissed);
        }
        if (supersededBy != null) {
            fields.put("superseded_by", supersededBy);
        }
    }
}
