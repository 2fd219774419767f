package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands ask the user's store and the team's, and copy lessons there on request. */
class LayerCommandsTest {
    private static final String LESSON =
            "{\"type\":\"tool_failure\",\"tool\":\"npm\",\"action\":\"install left-pad\",\"error\":\"connect ETIMEDOUT\","
                    + "\"pattern_avoid\":\"Set the proxy first\"}\n";
    private static final String EVENT =
            "{\"tool\":\"npm\",\"action\":\"install express\",\"error\":\"connect ETIMEDOUT\"}\n";

    @TempDir
    Path folder;

    private Environment environment;
    private String store;

    @BeforeEach
    void name() throws IOException {
        Path home = folder.toRealPath();
        environment = new Environment(Map.of("HOME", home.resolve("home").toString()), home, home, false);
        store = home.resolve("project").toString();
    }

    private Xmem in(String input, String... args) {
        return Xmem.in(environment, input, args);
    }

    @Test
    void promoteToUser_lessonIsToldInAnotherProject() {
        String id = recordedLesson();

        Xmem run = in("", "promote", "--to", "user", id, "--store", store);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(id + "@user  Set the proxy first\n");
        String other = folder.resolve("other").toString();
        in("{\"type\":\"note\",\"content\":\"x\"}\n", "record", "--store", other);
        assertThat(in(EVENT, "recall", "--store", other).out())
                .contains("your other projects", "Set the proxy first", "\"layer\":\"user\"", id + "@user");
        assertThat(in("", "search", "layer=user", "--store", other).out()).contains(id + "@user");
        assertThat(in("", "search", "layer=team", "--store", other).code()).isEqualTo(2);
        assertThat(in("", "outcome", id + "@user", "worked", "--session", "s", "--store", other)
                        .code())
                .isZero();
        assertThat(folder.resolve("home/.local/share/xmem/data/failures.jsonl"))
                .content()
                .contains("\"outcome\":\"worked\"");
    }

    @Test
    void outcome_thereIsNoUsersStore_writesNothingOutsideOfTheNamedStore() throws IOException {
        String id = recordedLesson();

        assertThat(in("", "outcome", id, "worked", "--session", "s", "--store", store)
                        .out())
                .isEqualTo("Counted.\n");
        Environment byVariable = new Environment(
                Map.of("HOME", folder.resolve("home").toString(), "XMEM_STORE", store), folder, folder, false);
        assertThat(Xmem.in(byVariable, "", "outcome", id, "worked", "--session", "t")
                        .out())
                .isEqualTo("Counted.\n");

        assertThat(folder).isDirectoryNotContaining(file -> file.endsWith("home"));
    }

    @Test
    void outcome_theUsersStoreIsNamed_notesThereThatTheLessonWorked() {
        String id = recordedLesson();
        Path user = folder.resolve("user");
        Environment named = new Environment(Map.of("XMEM_USER_STORE", user.toString()), folder, folder, false);

        Xmem.in(named, "", "outcome", id, "worked", "--session", "s", "--store", store);

        assertThat(user.resolve(".xmem/proven.ndjson")).content().contains("npm");
    }

    private String recordedLesson() {
        String recorded = in(LESSON, "record", "--store", store).out();
        return recorded.substring(recorded.indexOf("20"), recorded.indexOf("20") + 14);
    }

    @Test
    void promoteTo_whatCannotBe_isRefused() {
        in(LESSON, "record", "--store", store);
        assertThat(in("", "promote", "--to", "user", "--store", store).out()).isEmpty();
        assertThat(in("", "promote", "--to", "team", "2020", "--store", store).code())
                .isEqualTo(1);
        assertThat(in("", "promote", "--to", "world", "--store", store).code()).isEqualTo(2);
        assertThat(in("", "promote", "--store", store).code()).isEqualTo(2);
    }
}
