package dev.xmem.git;

import org.jspecify.annotations.Nullable;

/** The result of an export. */
record ExportResult(
        boolean committed,
        boolean pushed,
        String message,
        @Nullable String problem) implements Exported {
    static final ExportResult NOTHING = new ExportResult(false, false, "", null);

    ExportResult asPushed() {
        return new ExportResult(committed, true, message, null);
    }

    ExportResult asNotPushed(String problem) {
        return new ExportResult(committed, false, message, problem);
    }
}
