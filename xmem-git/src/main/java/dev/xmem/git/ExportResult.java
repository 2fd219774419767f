package dev.xmem.git;

import org.jspecify.annotations.Nullable;

/** What an export did. */
record ExportResult(
        boolean committed,
        boolean pushed,
        String message,
        @Nullable String problem) implements Exported {
    static final ExportResult NOTHING = new ExportResult(false, false, "", null);

    ExportResult isPushed() {
        return new ExportResult(committed, true, message, null);
    }

    ExportResult isNotPushed(String why) {
        return new ExportResult(committed, false, message, why);
    }
}
