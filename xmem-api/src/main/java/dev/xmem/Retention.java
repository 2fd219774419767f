package dev.xmem;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a compaction may remove. Immutable and thread-safe: each setter returns a copy. */
public final class Retention {
    private static final Retention DEFAULTS = new Retention(null, Duration.ofDays(7), Duration.ofDays(90));

    private final @Nullable Duration pruneAfter;
    private final Duration duplicateWindow;
    private final Duration hotWindow;

    private Retention(@Nullable Duration pruneAfter, Duration duplicateWindow, Duration hotWindow) {
        this.pruneAfter = pruneAfter;
        this.duplicateWindow = duplicateWindow;
        this.hotWindow = hotWindow;
    }

    /**
     * Nothing is pruned for its age; duplicates within seven days become one; failures and successes older than 90 days
     * move to the archive of their month.
     */
    public static Retention defaults() {
        return DEFAULTS;
    }

    /** Removes entries that nothing happened to for this long. Default: never. */
    public Retention pruneAfter(Duration d) {
        return new Retention(positive(d), duplicateWindow, hotWindow);
    }

    /** How far apart two entries of one family may be to count as duplicates. Default seven days. */
    public Retention duplicateWindow(Duration d) {
        return new Retention(pruneAfter, positive(d), hotWindow);
    }

    /**
     * How old failures and successes are when they move from the hot log to the archive of their month, at least the
     * duplicate window. Default 90 days.
     */
    public Retention hotWindow(Duration d) {
        return new Retention(pruneAfter, duplicateWindow, positive(d));
    }

    private static Duration positive(Duration d) {
        if (d.isNegative() || d.isZero()) {
            throw new IllegalArgumentException("a duration must be positive, not " + d);
        }
        return d;
    }

    /** The age at which entries are pruned; null for never. */
    public @Nullable Duration pruneAfter() {
        return pruneAfter;
    }

    /** How old failures and successes are when they move to an archive. */
    public Duration hotWindow() {
        return hotWindow;
    }

    /** How far apart duplicates may be. */
    public Duration duplicateWindow() {
        return duplicateWindow;
    }
}
