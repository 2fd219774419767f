package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard.Step;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps by which a guard explains its answers. */
class GuardExplanationTest {
    private static final ToolCall PUSH = ToolCall.shell("cd repo && git push origin main");
    private static final ToolError NO_UPSTREAM =
            ToolError.exit(128, "fatal: The current branch main has no upstream branch.");

    private final XMemStore store = XMem.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private Failure known(String lesson) {
        return store.recordFailure(Failure.of(PUSH, NO_UPSTREAM).patternAvoid(lesson));
    }

    private static List<String> texts(List<Step> steps, String name) {
        return steps.stream()
                .filter(step -> step.name().equals(name))
                .map(Step::text)
                .toList();
    }

    private String only(String name, ToolCall call, ToolError result) {
        List<String> texts = texts(store.guard().explain(call, result), name);
        assertThat(texts).as(name).hasSize(1);
        return texts.get(0);
    }

    @Test
    void result_namesTheExitCodeOrTheLineThatDecided() {
        assertThat(only("result", PUSH, NO_UPSTREAM)).isEqualTo("failed: exit code 128");
        assertThat(only("result", PUSH, ToolError.text("Everything\nfatal: no upstream branch\nlast line")))
                .startsWith("failed:")
                .contains("`fatal: no upstream branch`", "no exit code");
        assertThat(only("result", ToolCall.shell("make test"), ToolError.exit(0, "4 passed")))
                .startsWith("succeeded:");
        assertThat(only("result", ToolCall.shell("make test > log; date"), ToolError.exit(0, "")))
                .startsWith("unknown:");
    }

    @Test
    void causeBelowALongLog_decidesResultAndFamily() {
        String log = "[INFO] Copying part\n".repeat(500) + "Traceback (most recent call last):\n";
        ToolCall call = ToolCall.shell("python load.py");
        ToolError error = ToolError.exit(0, log + "KeyError: 'colour'");

        assertThat(only("result", call, error)).contains("Traceback");
        assertThat(only("family", call, error))
                .startsWith("python-run-key-error")
                .contains("KeyError: 'colour'");
    }

    @Test
    void call_namesTheWorkingCommandOfTheLine() {
        assertThat(only("call", PUSH, NO_UPSTREAM)).contains("git-push", "`git push origin main`");
    }

    @Test
    void trivialFailure_saysWhy_andIsNotRecalled() {
        known("Use -u");
        List<Step> steps =
                store.guard().explain(ToolCall.shell("gti push"), ToolError.exit(127, "gti: command not found"));
        assertThat(texts(steps, "trivial")).singleElement().asString().contains("mistyped for git");
        assertThat(texts(steps, "family")).isEmpty();
        assertThat(only("trivial", PUSH, ToolError.exit(130, ""))).contains("130");
    }

    @Test
    void entries_areTold_orLeftOutWithTheReason() {
        Failure harmful = known("Rename the branch");
        Failure good = known("git push -u origin HEAD");
        for (int i = 0; i < 12; i++) {
            store.reportOutcome(harmful.id(), Outcome.FAILED, "session" + i);
        }
        List<Step> steps = store.guard().explain(PUSH, NO_UPSTREAM);

        assertThat(texts(steps, "family")).singleElement().asString().contains(good.ctxHash(), "no upstream");
        assertThat(texts(steps, "entry"))
                .anySatisfy(text -> assertThat(text).startsWith(good.id() + " is told"))
                .anySatisfy(text -> assertThat(text)
                        .startsWith(harmful.id() + " is left out")
                        .contains("failed more often"));
    }

    @Test
    void catchAllFamily_leavesOutWhatIsNotAlike() {
        ToolCall call = ToolCall.shell("frobnicate all");
        Failure other = store.recordFailure(
                Failure.of(call, ToolError.exit(3, "zebra giraffe elephant rhinoceros hippopotamus"))
                        .patternAvoid("Feed them"));
        List<Step> steps = store.guard().explain(call, ToolError.exit(3, "quick brown foxes jumping lazily"));

        assertThat(texts(steps, "family")).singleElement().asString().contains(other.ctxHash(), "tells no cause");
        assertThat(texts(steps, "entry")).singleElement().asString().contains(other.id(), "left out", "not like");
    }

    @Test
    void session_countsUnchangedRepeats() {
        ToolCall call = PUSH.session("s");
        store.guard().failed(call, NO_UPSTREAM);
        store.guard().failed(call, NO_UPSTREAM);
        assertThat(only("session", call, NO_UPSTREAM)).contains("failed 2 times before", "within the last hour, so");
        assertThat(only("session", PUSH, NO_UPSTREAM)).startsWith("none");
        assertThat(only("session", PUSH.session("other"), NO_UPSTREAM)).contains("0 times", "not recorded within");
    }

    @Test
    void beforeACall_eachFamilySaysWhichConditionIsMissing() {
        assertThat(texts(store.guard().explain(PUSH, null), "warning"))
                .containsExactly("no failure of this operation is known");
        store.recordFailure(Failure.of(PUSH.session("a"), NO_UPSTREAM));
        assertThat(texts(store.guard().explain(PUSH, null), "warning"))
                .singleElement()
                .asString()
                .contains("a warning needs 2");
        store.recordFailure(Failure.of(PUSH.session("b"), NO_UPSTREAM));
        assertThat(texts(store.guard().explain(PUSH, null), "warning"))
                .singleElement()
                .asString()
                .contains("no fix is known");
        assertThat(texts(store.guard().explain(ToolCall.shell("git push --force a b c"), null), "warning"))
                .singleElement()
                .asString()
                .contains("other options");
        known("Use -u");
        assertThat(texts(store.guard().explain(PUSH, null), "warning"))
                .singleElement()
                .asString()
                .contains("seen 3 times");
    }

    @Test
    void explanation_recordsNothing_andAClosedStoreIsNoError() {
        known("Use -u");
        long before = store.stats().failures();
        store.guard().explain(PUSH.session("s"), NO_UPSTREAM);
        store.flush();
        assertThat(store.stats().failures()).isEqualTo(before);
        store.close();
        assertThat(texts(store.guard().explain(PUSH, NO_UPSTREAM), "trouble")).isNotEmpty();
    }
}
