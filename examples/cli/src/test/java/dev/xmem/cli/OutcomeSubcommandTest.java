package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem outcome} and {@code xmem amend}. */
class OutcomeSubcommandTest {
    @TempDir
    Path folder;

    private String store = "";
    private String id = "";

    @BeforeEach
    void recorded() {
        store = folder.resolve("store").toString();
        String event = "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"Rebase first\"}\n";
        String out = Xmem.fed(event, "record", "--store", store).out();
        id = out.replaceAll("(?s).*?(\\d{4}-\\d\\d-\\d\\d-\\d{3}).*", "$1");
    }

    private Xmem run(String... args) {
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--store";
        all[args.length + 1] = store;
        return Xmem.run(all);
    }

    @Test
    void outcome_twiceInASession_countsOnce() {
        assertThat(run("outcome", id, "worked", "--session", "a").out()).isEqualTo("Counted.\n");
        assertThat(run("outcome", id, "failed", "--session", "a", "--json").out())
                .isEqualTo("{\"counted\":false}\n");
        assertThat(run("search", "tool=git").out()).contains("used 2 times");
    }

    @Test
    void outcome_invalidArguments_reportsUsage() {
        assertThat(run("outcome", "2001-01-01-001", "worked", "--session", "a").code())
                .isEqualTo(Main.REFUSED);
        assertThat(run("outcome", id, "great", "--session", "a").err()).contains("worked, failed or irrelevant");
        assertThat(run("outcome", id, "worked").code()).isEqualTo(Main.FAILED);
    }

    @Test
    void amend_dismissed_isHiddenFromSearch() {
        assertThat(run("amend", id, "--tag", "vcs").out()).contains("\"tags\":[\"vcs\"]");
        assertThat(run("search", "tag=vcs").out()).contains(id);
        assertThat(run("amend", id, "--dismiss", "wrong").out()).contains("\"dismissed\":\"wrong\"");
        assertThat(run("search", "tool=git").out()).doesNotContain(id);
        assertThat(run("amend", id).code()).isEqualTo(Main.FAILED);
        assertThat(run("amend", id, "--pin", "--dismiss", "x").err()).contains("exactly one change");
        assertThat(run("amend", "2001-01-01-001", "--pin").code()).isEqualTo(Main.REFUSED);
    }
}
