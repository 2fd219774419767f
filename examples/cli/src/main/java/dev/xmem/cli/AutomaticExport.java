package dev.xmem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exports a store after a command that changed it, where {@code export --automatic} said so. What was stored is stored all
 * the same: what goes wrong here is told on stderr, and does not change the exit code.
 */
final class AutomaticExport {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private AutomaticExport() {}

    static void after(Root root, @Nullable Path changed) {
        if (changed == null) {
            return;
        }
        try {
            Exports exports = new Exports(changed, root.surroundings());
            Exports.Known known = exports.known();
            if (known != null && known.moved()) {
                tell(
                        root,
                        "stored, but not exported: the store was moved or copied since that was wanted; say it again with"
                                + " xmem export --automatic");
            } else if (known != null && known.automatic()) {
                Progress progress = Progress.of(root.terminal(), "export", root.json);
                try (progress) {
                    failed(root, exports.to(known.place()).export(LIMIT).problem());
                }
            }
        } catch (IOException | RuntimeException e) {
            failed(root, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static void failed(Root root, @Nullable String problem) {
        if (problem != null) {
            tell(root, "stored, but not exported: " + problem + "; the next change tries again, or: xmem export");
        }
    }

    private static void tell(Root root, String sentence) {
        root.terminal().notice(root.json, sentence);
    }
}
