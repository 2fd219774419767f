package dev.xmem.core.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lesson that worked in two projects is offered to the user's store, and copied only on request. */
class SharingTest {
    private static final ToolError NO_MODULE = ToolError.exit(1, "ModuleNotFoundError: No module named 'yaml'");

    @TempDir
    Path folder;

    private XMemStore open(String project) {
        return XMem.builder(folder.resolve(project))
                .alsoAsk(Layer.USER, XMem.builder(folder.resolve("user")))
                .open();
    }

    /** The failure and its fix, as a guard sees them in one session. */
    private static void learn(XMemStore store, String script) {
        ToolGuard guard = store.guard();
        guard.warmUp();
        String session = "of " + script;
        guard.failed(ToolCall.shell("python " + script).session(session), NO_MODULE);
        guard.succeeded(ToolCall.shell("pip install pyyaml").session(session));
        guard.succeeded(ToolCall.shell("python " + script).session(session));
        store.flush();
    }

    @Test
    void lessonOfTwoProjects_isOffered_andCopiedOnRequest() {
        try (XMemStore one = open("one")) {
            learn(one, "a.py");
            assertThat(one.offers()).isEmpty();
        }
        try (XMemStore two = open("two")) {
            learn(two, "b.py");
            List<Entry> offers = two.offers();
            assertThat(offers).hasSize(1);
            assertThat(folder.resolve("user/data"))
                    .as("nothing is copied by itself")
                    .doesNotExist();
            Success shared = (Success) two.share(offers.get(0).id(), Layer.USER);
            assertThat(shared.id()).endsWith("@user");
            assertThat(shared.keySteps()).contains("pip install pyyaml");
            assertThat(shared.sessionId()).isNull();
            assertThat(shared.answers())
                    .hasSize(1)
                    .allMatch(id -> two.find(id + "@user").isPresent());
            assertThat(two.offers()).isEmpty();
            assertThat(two.share(offers.get(0).id(), Layer.USER)).isEqualTo(shared);
        }
        try (XMemStore user = XMem.open(folder.resolve("user"))) {
            assertThat(user.search(Query.all().kind(Entry.Kind.SUCCESS)).total())
                    .isEqualTo(1);
            assertThat(user.search(Query.all().kind(Entry.Kind.FAILURE)).total())
                    .isEqualTo(1);
        }
        try (XMemStore three = open("three")) {
            assertThat(three.recall(ToolCall.shell("python c.py"), NO_MODULE).text())
                    .contains("your other projects", "pip install pyyaml");
        }
    }

    @Test
    void lessonThatWorkedTwiceInOneProject_isNotOffered() {
        try (XMemStore one = open("one")) {
            learn(one, "a.py");
            learn(one, "b.py");
            assertThat(one.offers()).isEmpty();
        }
    }

    @Test
    void adviceThatWasVotedForInTwoProjects_isOffered() {
        for (String project : List.of("one", "two")) {
            try (XMemStore store = open(project)) {
                String id = store.recordFailure(Failure.of(
                                        "helm", "upgrade x", "Error: UPGRADE FAILED: another operation is in progress")
                                .patternAvoid("Roll back first"))
                        .id();
                store.reportOutcome(id, Outcome.WORKED, "s");
                store.flush();
                assertThat(store.offers()).hasSize(project.equals("two") ? 1 : 0);
            }
        }
    }

    @Test
    void adviceOfTheTeamThatWorkedHere_isOffered() {
        String id;
        try (XMemStore team = XMem.open(folder.resolve("team"))) {
            id = team.recordFailure(
                            Failure.of("python", "x.py", NO_MODULE.text()).patternAvoid("Run `pip install pyyaml`."))
                    .id();
        }
        try (XMemStore store = XMem.builder(folder.resolve("one"))
                .guardLimit(Duration.ofSeconds(20)) // the first recall of the team's store may wait for a core
                .alsoAsk(Layer.USER, XMem.builder(folder.resolve("user")))
                .alsoAsk(Layer.TEAM, XMem.builder(folder.resolve("team")))
                .open()) {
            ToolGuard guard = store.guard();
            guard.warmUp();
            guard.failed(ToolCall.shell("python y.py").session("s"), NO_MODULE);
            guard.succeeded(ToolCall.shell("pip install pyyaml").session("s"));
            guard.succeeded(ToolCall.shell("python y.py").session("s"));
            store.flush();
            assertThat(store.find(id + "@team").orElseThrow().json()).contains("\"worked\":1");
            assertThat(store.share(id + "@team", Layer.USER).id()).endsWith("@user");
        }
    }

    @Test
    void share_whatIsNoLesson_isRefused() {
        try (XMemStore store = open("one")) {
            String id = store.recordFailure(Failure.of("a", "b", "c")).id();
            assertThatThrownBy(() -> store.share(id, Layer.USER)).isInstanceOf(XMemException.Invalid.class);
            assertThatThrownBy(() -> store.share("2020-01-01-001", Layer.USER))
                    .isInstanceOf(XMemException.Invalid.class);
            assertThatThrownBy(() -> store.share(id, Layer.TEAM)).isInstanceOf(XMemException.Unsupported.class);
            assertThatThrownBy(() -> store.share(id, Layer.PROJECT)).isInstanceOf(XMemException.Unsupported.class);
        }
        try (XMemStore store = XMem.builder(folder.resolve("one"))
                .alsoAsk(Layer.USER, XMem.builder(folder.resolve("user")).readOnly())
                .open()) {
            String id = store.recordFailure(Failure.of("a", "b", "c").patternAvoid("d"))
                    .id();
            assertThatThrownBy(() -> store.share(id, Layer.USER)).isInstanceOf(XMemException.Unsupported.class);
        }
    }
}
