package dev.xmem;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The retention policy of a compaction: what it may merge, archive and remove. Immutable and thread-safe; each setter
 * returns a copy and throws {@link IllegalArgumentException} if the duration is not positive.
 */
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
     * Returns the default policy: no entry is pruned by age, duplicates within 7 days are merged, and failures and
     * successes older than 90 days move to the archive of their month.
     */
    public static Retention defaults() {
        return DEFAULTS;
    }

    /** Returns a copy that removes entries without any activity for this long. Default: never. */
    public Retention pruneAfter(Duration d) {
        return new Retention(positive(d), duplicateWindow, hotWindow);
    }

    /** Returns a copy with the maximum distance between duplicates of one family. Default 7 days. */
    public Retention duplicateWindow(Duration d) {
        return new Retention(pruneAfter, positive(d), hotWindow);
    }

    /**
     * Returns a copy with the age at which failures and successes move from the hot log to the archive of their month.
     * The duplicate window is the minimum. Default 90 days.
     */
    public Retention hotWindow(Duration d) {
        return new Retention(pruneAfter, duplicateWindow, positive(d));
    }

    private static Duration positive(Duration d) {
        if (Objects.requireNonNull(d, "d").isNegative() || d.isZero()) {
            throw new IllegalArgumentException("a duration must be positive, not " + d);
        }
        return d;
    }

    /** Returns the inactivity after which entries are removed; null for never. */
    public @Nullable Duration pruneAfter() {
        return pruneAfter;
    }

    /** Returns the age at which failures and successes move to an archive. */
    public Duration hotWindow() {
        return hotWindow;
    }

    /** Returns the maximum distance between duplicates. */
    public Duration duplicateWindow() {
        return duplicateWindow;
    }
}
