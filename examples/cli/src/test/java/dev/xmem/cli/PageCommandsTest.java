package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of the page in a terminal and in a file, and the options of the page. */
class PageCommandsTest {
    private static final String ESCAPE = "\u001b[";
    private static final ToolError REJECTED =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");

    @TempDir
    Path folder;

    private String id = "";

    @BeforeEach
    void fill() {
        try (XMemStore store = XMem.builder(folder.resolve("store"))
                .guardLimit(Duration.ofMinutes(1))
                .open()) {
            id = store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("use -u <b>"))
                    .id();
            store.guard().failed(ToolCall.shell("git push").session("s"), REJECTED);
        }
    }

    private Xmem run(boolean terminal, Map<String, String> variables, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--store";
        all[1] = folder.resolve("store").toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Xmem.in(new Environment(variables, folder, folder, terminal), "", all);
    }

    @Test
    void weeks_areDrawn_andGivenAsJson() {
        Xmem text = run(false, Map.of(), "stats", "--weeks=2");

        assertThat(text.out())
                .contains("Repeat rate by week", "100 %", "1 of 1 failure; advice shown 1")
                .doesNotContain(ESCAPE);
        assertThat(text.lines()).hasSize(3);
        assertThat(run(false, Map.of(), "stats", "--weeks", "--json").out()).contains("\"repeats\":1");
        assertThat(run(false, Map.of(), "stats", "--weeks=99").err()).contains("from 1 to 57");
        assertThat(run(false, Map.of(), "stats", "--json").out()).contains("\"recalls\":{\"failures\":1");
    }

    @Test
    void search_isGroupedAndColouredOnATerminalOnly() {
        String table = run(true, Map.of(), "search", "tool=git").out();
        assertThat(table).contains(ESCAPE, "git-push-no-upstream", "2×", "→ use -u", "2 entries");

        assertThat(run(true, Map.of("NO_COLOR", "1"), "search", "tool=git").out())
                .contains("git-push-no-upstream", "2×")
                .doesNotContain(ESCAPE);
        assertThat(run(false, Map.of(), "search", "tool=git").out())
                .contains("Found 2 entries")
                .doesNotContain(ESCAPE);
        assertThat(run(true, Map.of(), "search", "tool=git", "--json").out()).startsWith("{");
    }

    @Test
    void report_isOneFileWithoutMarkupOfStoredText() throws IOException {
        Path file = folder.resolve("report.html");

        assertThat(run(false, Map.of(), "report", "--html", file.toString()).code())
                .isZero();

        assertThat(Files.readString(file))
                .contains("git-push-no-upstream", "100 %", "default-src 'none'")
                .doesNotContain("<script", "http://", "https://", "<b>");
    }

    @Test
    void amend_restore_takesBackADismissal() {
        run(false, Map.of(), "amend", id, "--dismiss", "old");
        Xmem restored = run(false, Map.of(), "amend", id, "--restore");

        assertThat(restored.code()).isZero();
        assertThat(restored.out()).doesNotContain("dismissed");
    }

    @Test
    void serve_refusesOptionsOfThePageThatItCannotMean() {
        assertThat(run(false, Map.of(), "serve", "--page", "70000").err()).contains("from 0 to 65535");
        assertThat(run(false, Map.of(), "serve", "--idle", "-1").err()).contains("--idle takes a number of seconds");
        assertThat(run(false, Map.of(), "serve", "--read-only").err()).contains("--page PORT or --open");
        assertThat(run(false, Map.of(), "serve", "--page", "0", "--page-origin", "http://x")
                        .err())
                .contains("https://memory.example.org");
    }
}
