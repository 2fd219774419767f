package dev.xmem;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a compaction may remove. Immutable and thread-safe: each setter returns a copy. */
public final class Retention {
    private static final Retention DEFAULTS = new Retention(null, Duration.ofDays(7));

    private final @Nullable Duration pruneAfter;
    private final Duration duplicateWindow;

    private Retention(@Nullable Duration pruneAfter, Duration duplicateWindow) {
        this.pruneAfter = pruneAfter;
        this.duplicateWindow = duplicateWindow;
    }

    /** Nothing is pruned for its age; duplicates within seven days become one. */
    public static Retention defaults() {
        return DEFAULTS;
    }

    /** Removes entries that nothing happened to for this long. Default: never. */
    public Retention pruneAfter(Duration d) {
        return new Retention(positive(d), duplicateWindow);
    }

    /** How far apart two entries of one family may be to count as duplicates. Default seven days. */
    public Retention duplicateWindow(Duration d) {
        return new Retention(pruneAfter, positive(d));
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

    /** How far apart duplicates may be. */
    public Duration duplicateWindow() {
        return duplicateWindow;
    }
}
