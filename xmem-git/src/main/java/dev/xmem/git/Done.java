package dev.xmem.git;

import org.jspecify.annotations.Nullable;

/** What an export did. */
record Done(
        boolean committed,
        boolean pushed,
        String message,
        @Nullable String problem) implements Exported {
    static final Done NOTHING = new Done(false, false, "", null);

    Done isPushed() {
        return new Done(committed, true, message, null);
    }

    Done isNotPushed(String why) {
        return new Done(committed, false, message, why);
    }
}
