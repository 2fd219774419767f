package dev.xmem.core.base.config;

/**
 * The owner of the lines of a log: this store or another replica. The owner and the id identify an entry. An entry of
 * another replica is shown with the id {@code id@replica}, with the first {@value #LABEL_CHARS} characters of the
 * replica.
 *
 * @param tier the tier of the log
 * @param replica the replica that wrote the lines; empty for this store
 */
public record Origin(Tier tier, String replica) {
    private static final int LABEL_CHARS = 8;

    /** The tiers of logs, in the order in which they are searched. */
    public enum Tier {
        /** The active logs of this store. */
        HOT,
        /** The logs of other replicas. */
        PEER,
        /** The older lines of this store, by month. Read if the other tiers do not have enough hits. */
        ARCHIVE
    }

    /** The active logs of this store. */
    public static final Origin HOT = new Origin(Tier.HOT, "");

    /** The archives of this store. */
    public static final Origin ARCHIVE = new Origin(Tier.ARCHIVE, "");

    /** All logs of other replicas: each line has an owner of its own. */
    public static final Origin PEERS = new Origin(Tier.PEER, "");

    /** The logs of another replica. */
    public static Origin peer(String replica) {
        return new Origin(Tier.PEER, replica);
    }

    /** Whether this store wrote the lines. */
    public boolean own() {
        return tier != Tier.PEER;
    }

    /** Whether an entry of this owner may be shown under an id. */
    public boolean mayShow(String shown) {
        int at = shown.indexOf('@');
        return own() || at > 0 && replica.startsWith(shown.substring(at + 1));
    }

    /** The id under which an entry is shown that a line of this owner names. */
    public String shown(String named) {
        return own() || named.indexOf('@') >= 0 ? named : named + suffix();
    }

    /**
     * Whether lines of this owner may amend an entry: those of this store any entry, those of a replica its own
     * entries.
     */
    public boolean mayAmend(String shown) {
        return own() || shown.endsWith(suffix());
    }

    /** The suffix of the shown ids: empty for this store, else {@code @} and the beginning of the replica. */
    public String suffix() {
        return own() ? "" : "@" + replica.substring(0, Math.min(LABEL_CHARS, replica.length()));
    }
}
