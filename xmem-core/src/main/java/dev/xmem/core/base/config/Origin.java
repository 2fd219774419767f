package dev.xmem.core.base.config;

import java.util.List;

/**
 * Whose lines a log holds, and how near they are. Identity of an entry is its owner and its id.
 *
 * @param tier how near
 * @param replica the replica that wrote the lines; empty for one's own
 */
public record Origin(Tier tier, String replica) {
    private static final int LABEL_CHARS = 8;

    /** How near a log is, in the order in which it is looked at. */
    public enum Tier {
        /** One's own newest lines: the logs that are appended to. */
        HOT,
        /** What others published. */
        PEER,
        /** One's own older lines, by month. Read when the others do not suffice. */
        ARCHIVE
    }

    /** One's own logs. */
    public static final Origin HOT = new Origin(Tier.HOT, "");

    /** One's own older lines. */
    public static final Origin ARCHIVE = new Origin(Tier.ARCHIVE, "");

    /** What a replica published. */
    public static Origin peer(String replica) {
        return new Origin(Tier.PEER, replica);
    }

    /** Whether the lines are one's own. */
    public boolean own() {
        return replica.isEmpty();
    }

    /** The id that a line carries which is shown under this one; an empty text if it is of another owner. */
    public String ownId(String shown) {
        int at = shown.indexOf('@');
        if (own()) {
            return shown;
        }
        return at > 0 && replica.startsWith(shown.substring(at + 1)) ? shown.substring(0, at) : "";
    }

    /**
     * How lines of this owner name the entry that is shown under an id. One's own lines name it so. Those of others name
     * their own entries with or without the mark of their owner, and have nothing to say of this store's entries.
     */
    public List<String> names(String shown) {
        if (own()) {
            return List.of(shown);
        }
        if (shown.endsWith(suffix())) {
            return List.of(shown, shown.substring(0, shown.length() - suffix().length()));
        }
        return shown.indexOf('@') < 0 ? List.of() : List.of(shown);
    }

    /** The id under which the entry is shown that a line of this owner names so. */
    public String shown(String named) {
        return own() || named.indexOf('@') >= 0 ? named : named + suffix();
    }

    /** Whether lines of this owner may amend the entry that is shown under an id: all in one's own store, else its own. */
    public boolean mayAmend(String shown) {
        return own() || shown.endsWith(suffix());
    }

    /** What the ids of these lines are shown with: nothing for one's own, else {@code @} and the replica's beginning. */
    public String suffix() {
        return own() ? "" : "@" + replica.substring(0, Math.min(LABEL_CHARS, replica.length()));
    }
}
