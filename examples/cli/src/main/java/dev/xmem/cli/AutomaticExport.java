package dev.xmem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exports a store after a command that changed it, if {@code export --automatic} is set. The change is already stored:
 * a failed export is reported on stderr and does not change the exit code.
 */
final class AutomaticExport {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private AutomaticExport() {}

    static void after(RootCommand root, @Nullable Path changed) {
        if (changed == null) {
            return;
        }
        try {
            ExportSettings settings = new ExportSettings(changed, root.environment());
            ExportSettings.Saved saved = settings.load();
            if (saved != null && saved.moved()) {
                notice(
                        root,
                        "stored, but not exported: the store was moved or copied since automatic export was set;"
                                + " set it again with xmem export --automatic");
            } else if (saved != null && saved.automatic()) {
                ProgressReporter progress = ProgressReporter.of(root.terminal(), "export", root.json);
                try (progress) {
                    report(root, settings.exportTo(saved.target()).export(LIMIT).problem());
                }
            }
        } catch (IOException | RuntimeException e) {
            report(root, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static void report(RootCommand root, @Nullable String problem) {
        if (problem != null) {
            notice(root, "stored, but not exported: " + problem + "; the next change retries, or run: xmem export");
        }
    }

    private static void notice(RootCommand root, String message) {
        root.terminal().notice(root.json, message);
    }
}
