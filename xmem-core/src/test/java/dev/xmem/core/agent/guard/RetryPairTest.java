package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM_HASH;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure and the similar call that succeeded after it. */
class RetryPairTest {
    private static final String FIXED = "git push -u origin HEAD";
    private static final ToolError NO_YAML = ToolError.exit(
            1,
            "Traceback (most recent call last):\n  File \"report.py\", line 1, in <module>\n"
                    + "ModuleNotFoundError: No module named 'yaml'");

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private Success onlyPair() {
        List<Success> all = memory.successes();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void succeeded_likeCallWithOtherArguments_isALinkedSuccess() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        Success pair = onlyPair();
        Failure failure = memory.failures().get(0);
        assertThat(pair.answers()).containsExactly(failure.id());
        assertThat(pair.ctxHash()).isEqualTo(NO_UPSTREAM_HASH).isEqualTo(failure.ctxHash());
        assertThat(pair.patternName()).isEqualTo("add -u origin HEAD");
        assertThat(pair.keySteps()).containsExactly(FIXED);
        assertThat(pair.criticalParams()).isEqualTo("{\"added\":[\"-u\",\"origin\",\"HEAD\"]}");
        assertThat(pair.sessionId()).isEqualTo("s");
    }

    /** The hash of a failure whose cause is told has no operation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "terraform apply | terraform apply -lock-timeout=60s | Error acquiring the state lock",
                "gh pr list | gh pr list -R team/web | An error occurred (AccessDenied): Access Denied",
            })
    void succeeded_toolWithoutOperationInTheHash_hasTheHashOfTheFailure(String line, String retry, String output) {
        guard.failed(shell("s", line), ToolError.exit(1, output));
        guard.succeeded(shell("s", retry));
        Failure failure = memory.failures().get(0);
        String[] words = line.split(" ", -1);
        assertThat(failure.ctxHash()).doesNotContain(words[1]);
        assertThat(onlyPair().ctxHash()).isEqualTo(failure.ctxHash());
        memory.store.flush();
        assertThat(guard.failed(shell("t", line), ToolError.exit(1, output)).text())
                .contains(retry);
    }

    @Test
    void recall_ofAnAnsweredFailure_showsThePair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        memory.store.flush();
        Advice advice = guard.failed(shell("t", "git push"), NO_UPSTREAM);
        assertThat(advice.text()).contains(FIXED);
        assertThat(advice.matches()).anyMatch(match -> match.entry() instanceof Success);
    }

    @Test
    void recall_ofAnAnsweredFailure_suggestsThePairFirst() {
        memory.store.recordSuccess(
                Success.of("git", "Push tags apart").action("push").keySteps("git push --tags"));
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        memory.store.recordSuccess(
                Success.of("git", "Push quietly").action("push").keySteps("git push -q"));
        String pair = memory.successes().stream()
                .filter(success -> !success.answers().isEmpty())
                .findFirst()
                .orElseThrow()
                .id();
        Advice advice = guard.failed(shell("t", "git push"), NO_UPSTREAM);
        assertThat(advice.matches().stream().filter(match -> match.entry() instanceof Success))
                .first()
                .satisfies(match -> assertThat(match.entry().id()).isEqualTo(pair));
        int suggested = advice.text().indexOf(FIXED);
        assertThat(suggested).isPositive();
        assertThat(advice.text().substring(0, suggested))
                .doesNotContain("--tags")
                .doesNotContain("git push -q");
    }

    @Test
    void succeeded_knownFailureThatWasNotRecordedAgain_isAnswered() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.failed(shell("s", "git push --force"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        assertThat(memory.failures()).hasSize(1);
        assertThat(onlyPair().answers())
                .containsExactly(memory.failures().get(0).id());
    }

    @Test
    void succeeded_jsonArguments_namesTheMemberThatChanged() {
        guard.failed(
                ToolCall.json("http_get", "{\"url\":\"https://a.example\",\"timeout\":30}")
                        .session("s"),
                ToolError.text("Error: the page is too large: 3000000 bytes"));
        guard.succeeded(ToolCall.json("http_get", "{\"url\":\"https://a.example\",\"timeout\":120,\"max\":9}")
                .session("s"));
        assertThat(onlyPair().patternName()).isEqualTo("timeout: 30 → timeout: 120 max: 9");
    }

    @Test
    void succeeded_bashToolWithJsonArguments_isComparedByWords() {
        guard.failed(ToolCall.json("Bash", "{\"command\":\"git push\"}").session("s"), NO_UPSTREAM);
        guard.succeeded(ToolCall.json("Bash", "{\"command\":\"git push -u origin HEAD\"}")
                .session("s"));
        assertThat(onlyPair().patternName()).isEqualTo("add -u origin HEAD");
    }

    @Test
    void succeeded_stepsBetween_belongToTheLesson() {
        guard.failed(shell("s", "npm start"), ToolError.exit(1, "Error: Cannot find module 'express'"));
        guard.succeeded(shell("s", "ls -la"));
        guard.succeeded(shell("s", "npm ci"));
        guard.succeeded(shell("s", "npm start -- --port 8080"));
        assertThat(onlyPair().keySteps()).containsExactly("npm ci", "npm start -- --port 8080");
    }

    @Test
    void succeeded_sameArguments_isFlakyAndNoLesson() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "git push"));
        assertThat(memory.successes()).isEmpty();
        guard.succeeded(shell("s", FIXED));
        assertThat(memory.successes()).as("the failure is over").isEmpty();
    }

    @Test
    void succeeded_sameArgumentsAfterSomethingElse_isNoLessonEither() {
        guard.failed(shell("s", "python report.py"), NO_YAML);
        guard.succeeded(shell("s", "npm ci"));
        guard.succeeded(shell("s", "python report.py"));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_sameArgumentsAfterAStepThatNamesTheSubject_isALesson() {
        guard.failed(shell("s", "python report.py"), NO_YAML);
        guard.succeeded(shell("s", "pip install pyyaml"));
        guard.succeeded(shell("s", "python report.py"));
        assertThat(onlyPair().patternName()).isEqualTo("first pip install pyyaml");
        assertThat(onlyPair().keySteps()).containsExactly("pip install pyyaml", "python report.py");
    }

    @Test
    void succeeded_anotherAction_isNoPair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "git fetch --all"));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_anotherTool_isNoPair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "hg push -u origin"));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_anotherSession_isNoPair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("t", FIXED));
        guard.succeeded(ToolCall.shell(FIXED));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_tenCallsLater_isAPair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        for (int i = 0; i < 9; i++) {
            guard.succeeded(shell("s", "make target" + i));
        }
        guard.succeeded(shell("s", FIXED));
        assertThat(memory.successes()).hasSize(1);
    }

    @Test
    void succeeded_elevenCallsLater_isNoPair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        for (int i = 0; i < 10; i++) {
            guard.succeeded(shell("s", "make target" + i));
        }
        guard.succeeded(shell("s", FIXED));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_twice_isOnePair() {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        guard.succeeded(shell("s", "git push -u origin main"));
        assertThat(memory.successes()).hasSize(1);
    }

    @Test
    void succeeded_trivialFailureBefore_isNoPair() {
        guard.failed(shell("s", "grep -r foo src"), ToolError.exit(1, ""));
        guard.succeeded(shell("s", "grep -r bar src"));
        guard.failed(shell("s", "make all"), ToolError.exit(130, "^C"));
        guard.succeeded(shell("s", "make clean all"));
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void succeeded_secretsInTheWorkingCall_areNotStored() {
        guard.failed(
                shell("s", "mysql -u root shop"),
                ToolError.exit(1, "ERROR 1045 (28000): Access denied for user 'root'@'localhost'"));
        guard.succeeded(shell("s", "mysql -u root -phunter2secret shop"));
        assertThat(onlyPair().json()).doesNotContain("hunter2secret");
    }

    private static final ToolError NO_INDEX =
            ToolError.exit(5, "jq: error (at a.json:1): Cannot index array with \"id\"");

    private void learnIndex() {
        guard.failed(shell("s", "jq '.[].id' a.json"), NO_INDEX);
        guard.succeeded(shell("s", "jq .id a.json"));
        assertThat(onlyPair().patternName()).isEqualTo("'.[].id' → .id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jq .id a.json", "jq .id b.json", "timeout 5 jq .id b.json | head -3", "cd x && jq .id b.json"})
    void failed_callThatHasTheChange_isNotToldIt(String line) {
        learnIndex();
        assertThat(guard.failed(shell("t", line), NO_INDEX).text()).doesNotContain("worked");
        assertThat(memory.store.recall(shell("t", line), NO_INDEX).text()).doesNotContain("worked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jq '.[].id' b.json", "jq .name b.json", "jq '.[].id' b.json > .id"})
    void failed_callThatLacksTheChange_isToldIt(String line) {
        learnIndex();
        assertThat(guard.failed(shell("t", line), NO_INDEX).text()).contains("worked: '.[].id' → .id");
    }

    @ParameterizedTest
    @CsvSource({
        "git push -u origin HEAD, false",
        "git push --tags -u origin HEAD, false",
        "git push origin HEAD, true",
        "git push --tags, true"
    })
    void failed_callWithTheAddedWords_isNotToldToAddThem(String line, boolean told) {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", FIXED));
        memory.store.flush();
        assertThat(guard.failed(shell("t", line), NO_UPSTREAM).text().contains("worked:"))
                .isEqualTo(told);
    }

    @Test
    void failed_jsonCallThatHasTheChange_isNotToldIt() {
        ToolError large = ToolError.text("Error: the page is too large: 3000000 bytes");
        String longer = "{\"url\":\"https://a.example\",\"timeout\":120,\"tags\":[\"a\",\"b\"]}";
        guard.failed(
                ToolCall.json("http_get", "{\"url\":\"https://a.example\",\"timeout\":30}")
                        .session("s"),
                large);
        guard.succeeded(ToolCall.json("http_get", longer).session("s"));
        memory.store.flush();
        String other = longer.replace("a.example", "a.example/b");
        assertThat(guard.failed(ToolCall.json("http_get", other).session("t"), large)
                        .text())
                .doesNotContain("worked");
        assertThat(guard.failed(
                                ToolCall.json("http_get", other.replace("120", "30"))
                                        .session("u"),
                                large)
                        .text())
                .contains("worked: timeout: 30 → timeout: 120");
    }

    @Test
    void before_callThatHasTheChange_isNotWarned() {
        for (String session : List.of("a", "b")) {
            guard.failed(shell(session, "jq '.[].id' a.json"), NO_INDEX);
            guard.succeeded(shell(session, "jq .id a.json"));
            memory.store.flush();
        }
        assertThat(guard.before(shell("t", "jq '.[].id' b.json")).text()).contains("worked:");
        assertThat(guard.before(shell("t", "jq .id b.json")).text()).isEmpty();
    }

    @Test
    void succeeded_arrayOfWords_isComparedAsTheirLine() {
        guard.failed(
                ToolCall.json("shell", "{\"command\":[\"bash\",\"-lc\",\"git push\"]}")
                        .session("s"),
                NO_UPSTREAM);
        guard.succeeded(ToolCall.json("shell", "{\"command\":[\"bash\",\"-lc\",\"git push -u origin HEAD\"]}")
                .session("s"));
        assertThat(onlyPair().patternName()).isEqualTo("add -u origin HEAD");
        assertThat(onlyPair().keySteps()).containsExactly("bash -lc 'git push -u origin HEAD'");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "ssh prod 'CALL', ssh prod 'CALL || echo skipped'",
                "ssh -p 22 ada@prod 'CALL', ssh -p 22 ada@prod 'CALL; true'",
                "docker exec web sh -c 'CALL', docker exec web sh -c 'CALL || true'",
                "kubectl exec web -- bash -lc 'CALL', kubectl exec web -- bash -lc 'CALL; exit 0'"
            })
    void succeeded_fallbackInTheScriptOfAnotherHost_isNoPair(String plain, String fallback) {
        String denied = "systemctl restart app";
        guard.failed(shell("s", plain.replace("CALL", denied)), ToolError.exit(1, "Failed to restart: Access denied"));
        guard.failed(
                shell("s", fallback.replace("CALL", denied)), ToolError.exit(0, "Failed to restart: Access denied"));
        assertThat(memory.successes()).isEmpty();
        guard.failed(shell("s", plain.replace("CALL", "sudo " + denied)), ToolError.exit(0, ""));
        assertThat(memory.successes())
                .isNotEmpty()
                .allMatch(pair -> pair.patternName().equals("add sudo"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Remove-Item C:/b/a.dll | Remove-Item C:/b/a.dll -ErrorAction SilentlyContinue | Access to a.dll is denied",
                "Copy-Item a.cfg D:/x | Copy-Item a.cfg D:/x -EA Ignore | Copy-Item : Cannot find path a.cfg",
                "Stop-Service spooler | Stop-Service spooler -ErrorAction:SilentlyContinue | Cannot find any service",
                "pwsh -c 'Move-Item a.zip /srv' | pwsh -c 'Move-Item a.zip /srv -ErrorAction SilentlyContinue; Write-Host ok'"
                        + " | Move-Item: Access to the path /srv/a.zip is denied",
                "pwsh -c 'Move-Item a.zip /srv -ErrorAction Stop' | pwsh -c 'Move-Item a.zip /srv -ErrorAction Ignore'"
                        + " | Move-Item: Access to the path /srv/a.zip is denied",
                "kubectl delete ns shop | kubectl delete ns shop --ignore-not-found=true | namespaces shop not found",
                "eslint src | eslint src --max-warnings 999 | 12 problems (0 errors, 12 warnings), too many warnings",
                "jest-lint run | jest-lint run --no-fatal-warnings | error: 2 warnings treated as errors",
                "flake8 src | flake8 src --extend-ignore=E501 | src/a.py:3:80: E501 line too long (92 > 79)",
                "pylint shop | pylint shop --disable=no-member | shop/a.py:9:4: E1101: Instance has no-member",
                "nx run-many build | nx run-many build --exclude=checkout | checkout:build failed: cannot resolve ./cart",
                "mvnx deploy | mvnx deploy --skip-modules billing | module billing: could not resolve artifact",
                "terraform apply | terraform apply -target=module.vpc | Error: creating RDS: aws_db_instance.main quota",
                "terraform apply | terraform apply -target module.vpc | Error: creating RDS: aws_db_instance.main quota",
                "firebase deploy | firebase deploy --only hosting | Error: functions predeploy error: exited with 1",
                "ansible-playbook site.yml | ansible-playbook site.yml --limit web1 | fatal: [db1]: UNREACHABLE!",
                "ansible-playbook site.yml | ansible-playbook site.yml --start-at-task restart | fatal: [db1]: FAILED!",
                "dbt run | dbt run --select orders | Database Error in model invoices: column vat does not exist",
            })
    void succeeded_optionThatHidesOrLeavesOut_isNoPair(String line, String retry, String output) {
        guard.failed(shell("s", line), ToolError.exit(1, output));
        guard.failed(shell("s", retry), ToolError.exit(0, "done"));
        assertThat(memory.successes()).isEmpty();
    }

    /** Calls of the same tool that do something else than the failed call. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "python3 train.py                     | python3 show.py",
                "python3 maze_v1.py 1                 | python3 maze_v2.py 1",
                "python3 -c 'import torch'            | python3 -c 'import sys; print(sys.path)'",
                "python3 report.py                    | python3 -c 'print(1)'",
                "pip install torch transformers       | pip install flask",
                "pip install torch numpy              | pip install --no-deps numpy",
                "ls -F tests/                         | ls -F src/",
                "find /usr/lib/jvm -name java         | find /opt -name java",
                "fasttext quantize -input a.bin       | fasttext supervised -input b.txt",
                "/app/tool data                       | strings /app/tool data",
                "which tool && tool build             | tool build",
                "tool build                           | python3 -c 'print(1)' && tool build",
                "tool build                           | cat > x.ini << EOF\nx\nEOF\ntool build -c x.ini"
            })
    void succeeded_otherWork_isNoPair(String failed, String succeeded) {
        guard.failed(shell("s", failed), ToolError.exit(1, "Error: cannot index the table"));
        guard.succeeded(shell("s", succeeded.replace("\\n", "\n")));
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "terraform apply | terraform apply -target=module.vpc"
                        + " | Error: Invalid count: use the -target argument to first apply what count depends on",
                "pwsh -c 'Move-Item a.zip /srv' | pwsh -c 'Move-Item a.zip /srv -Force'"
                        + " | Move-Item: Cannot create a file when that file already exists",
                "rustc-build app | rustc-build app --target x86_64-unknown-linux-musl | error: linker cc not found",
                "pip install wheel lxml | pip install wheel lxml --only-binary=:all: | error: command gcc failed",
                "npm publish | npm publish --tag next | npm error You must specify a tag using --tag",
                "curl https://a.test/big | curl https://a.test/big --limit-rate 100k | curl: (92) stream was not closed cleanly",
                "mysql shop | mysql shop --skip-ssl | ERROR 2026 (HY000): TLS/SSL error: wrong version number",
                "gh pr list | gh pr list --limit 50 | GraphQL: the result is too large, try a smaller one",
                "git commit -m x | git commit -m x --allow-empty | nothing added to the index, the commit is refused",
            })
    void succeeded_optionThatLooksSo_isAPair(String line, String retry, String output) {
        guard.failed(shell("s", line), ToolError.exit(1, output));
        guard.failed(shell("s", retry), ToolError.exit(0, "done"));
        assertThat(memory.successes()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python3 train.py        | .venv/bin/python3 train.py",
                "search a.txt            | search src/main/a.txt",
                "apt install libssl1.1   | apt install libssl3",
                "tool push origin master | tool push origin main",
                "tool build              | source env.sh && tool build",
                "tool build              | tool clean && tool build"
            })
    void succeeded_sameWorkInAnotherWay_isAPair(String failed, String succeeded) {
        guard.failed(shell("s", failed), ToolError.exit(1, "Error: cannot index the table"));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).hasSize(1);
    }

    /** Another target of the same kind of call: that it works says nothing about the first one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "npm run lint | npm run build | npm error Missing script: \"lint\"",
                "make docs | make all | make: *** No rule to make target 'docs'.  Stop.",
                "./gradlew lintAll | ./gradlew build | FAILURE: Build failed with an exception. Task 'lintAll'"
                        + " not found in root project.",
                "git checkout develop | git checkout main | error: pathspec 'develop' did not match any file(s)"
                        + " known to git",
                "git checkout feature-a | git checkout feature-b | error: pathspec 'feature-a' did not match any"
                        + " file(s) known to git",
                "gh pr view 12 | gh pr view 13 | GraphQL: Could not resolve to a PullRequest with the number of 12.",
                "jira issue SHOP-1 | jira issue SHOP-2 | issue does not exist or you may not see it",
                "curl -f https://a.test/v1/users | curl -f https://a.test/v1/health | curl: (22) The requested"
                        + " URL returned error: 404",
                "curl -fsS http://localhost:8080/health | curl -fsS http://localhost:8081/health | curl: (7)"
                        + " Failed to connect to localhost",
                "pytest tests/test_old.py | pytest tests/test_new.py | ERROR: file or directory not found:"
                        + " tests/test_old.py",
                "javac A.java | javac B.java | error: file not found: A.java",
                "psql -c 'select * from user_x' | psql -c 'select 1' | ERROR: relation \"user_x\" does not exist",
                "cargo run --bin foo | cargo run --bin bar | error: no bin target named `foo`.",
                "systemctl start web-1 | systemctl start web-2 | Job for web-1.service failed because the"
                        + " control process exited.",
                "sleep 5; cat out.log | sleep 30 | cat: out.log: No such file or directory",
                "echo hi; cat q.log | echo ho | cat: q.log: No such file or directory",
                "pytest -q | cd /srv/other && pytest -q | E   ModuleNotFoundError: No module named 'shop'",
                "mvn test | cd ~/other && mvn test | there is no POM in this directory (/srv/mono)",
            })
    void succeeded_otherTarget_isNoPair(String failed, String succeeded, String output) {
        guard.failed(shell("s", failed), ToolError.exit(1, output));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).isEmpty();
    }

    /** Another word for the same target: a typing error, another form, another folder, or a word of the output. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "npm run biuld | npm run build | npm error Missing script: \"biuld\"",
                "git checkout feature_a | git checkout feature-a | error: pathspec 'feature_a' did not match any"
                        + " file(s) known to git",
                "git checkout Topic | git checkout topic | error: pathspec 'Topic' did not match any file(s)"
                        + " known to git",
                "git checkout login | git checkout feature/login | error: pathspec 'login' did not match any"
                        + " file(s) known to git",
                "make doc | make docs | make: *** No rule to make target 'doc'.  Stop.",
                "helm install app acme | helm install app acme-inc | Error: repo acme not found",
                "javac A.java | javac src/main/A.java | error: file not found: A.java",
                "prettier conf.yml | prettier conf.yaml | No files matching the pattern were found: conf.yml",
                "docker pull node:99 | docker pull node:22 | manifest for node:99 not found",
                "php -S localhost:8000 | php -S localhost:8001 | Failed to listen on localhost:8000 (reason:"
                        + " Address already in use)",
                "curl https://a.test/v1/items/7 | curl https://a.test/v2/items/7 | error 404: not found",
                "make deploy | make release | make: *** No rule to make target 'deploy'. Available targets: release",
                "psql -c 'select * from user' | psql -c 'select * from users' | ERROR: relation \"user\" does"
                        + " not exist",
                "tar xzf a.tgz | tar xf a.tgz | gzip: stdin: not in gzip format",
                "mvn test | cd /srv/mono/web && mvn test | there is no POM in this directory (/srv/mono)",
                "npm test && cat out.log | npm test -- --ci && cat out.log | cat: out.log: No such file or directory",
            })
    void succeeded_sameTargetInOtherWords_isAPair(String failed, String succeeded, String output) {
        guard.failed(shell("s", failed), ToolError.exit(1, output));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'key':'SHOP-1'} | {'key':'SHOP-2'} | 0",
                "{'pull_number':12} | {'pull_number':13} | 0",
                "{'url':'https://a.test/x'} | {'url':'https://a.test/y'} | 0",
                "{'sql':'select * from user_x'} | {'sql':'select 1'} | 0",
                "{'path':'tests/test_old.py'} | {'path':'tests/test_new.py'} | 0",
                "{'owner':'acme','repo':'shop'} | {'owner':'acme-inc','repo':'shop'} | 1",
                "{'name':'api','region':'us-east-1'} | {'name':'api','region':'eu-west-1'} | 1",
                "{'limit':1000} | {'limit':100} | 1",
                "{'path':'config/app.yml'} | {'path':'config/application.yml'} | 1",
                "{'sql':'select id, created from a'} | {'sql':'select id, created_at from a'} | 1",
            })
    void succeeded_otherMember_isAPairIfItIsASettingOrAlike(String failed, String succeeded, int pairs) {
        guard.failed(
                ToolCall.json("fetch_item", failed.replace('\'', '"')).session("s"),
                ToolError.text("Error: the item does not exist"));
        guard.succeeded(
                ToolCall.json("fetch_item", succeeded.replace('\'', '"')).session("s"));
        assertThat(memory.successes()).hasSize(pairs);
    }

    @ParameterizedTest
    @CsvSource({
        "pip install torch, pip install --no-cache-dir --no-deps flask, 0",
        "tool run big.txt, tool run small.txt, 0",
        "tool run 1, tool run 1 2, 0",
        "timeout 10 tool run, timeout 120 tool run, 1",
        "tool run, tool run --timeout 300, 1"
    })
    void succeeded_afterATimeout_isAPairIfALimitChanged(String failed, String succeeded, int pairs) {
        guard.failed(shell("s", failed), ToolError.exit(124, "timed out and has been killed"));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).hasSize(pairs);
    }

    @ParameterizedTest
    @CsvSource({"tool build -v8, 0", "tool build --stack, 1"})
    void succeeded_afterAnEdit_isAPairIfTheErrorNamesWhatIsNew(String succeeded, int pairs) {
        guard.failed(shell("s", "tool build"), ToolError.exit(1, "Error: cannot build without --stack"));
        guard.succeeded(ToolCall.json("Edit", "{\"file_path\":\"a.c\"}").session("s"));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).hasSize(pairs);
    }

    @Test
    void succeeded_otherTextOfAnEdit_isToldOnlyToThatEdit() {
        ToolError missing = ToolError.text("Error: the text to replace was not found");
        String edit = "{\"path\":\"a.c\",\"old\":\"x = 1\",\"new\":\"x = 2\"}";
        guard.failed(ToolCall.json("edit_file", edit).session("s"), missing);
        guard.succeeded(
                ToolCall.json("edit_file", edit.replace("x = 1", "int x = 1")).session("s"));
        memory.store.flush();
        assertThat(guard.failed(ToolCall.json("edit_file", edit).session("t"), missing)
                        .text())
                .contains("worked");
        assertThat(guard.failed(
                                ToolCall.json("edit_file", edit.replace("x = 1", "y"))
                                        .session("u"),
                                missing)
                        .text())
                .doesNotContain("worked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "python a.py | python data.py | ZeroDivisionError: division by zero",
                "python main.py | python domain.py | ZeroDivisionError: division by zero",
                "cat a.js | cat a.json | cat: a.js: No such file or directory",
                "npm install react | npm install react-dom | npm ERR! 404 'react' is not in this registry.",
                "python train.py | python utils.py | File train.py, line 1, File utils.py, line 3: ZeroDivisionError",
                "python -c 'import torch' | python -c 'import sys; print(torch)' | No module named torch, use conda instead",
                "tool build | rm -rf out && tool build | Error: cannot index the table",
                "pip install json5 | pip install babel | perhaps instead: jupyterlab-server requires babel"
            })
    void succeeded_otherNameOrStep_isNoPair(String failed, String succeeded, String output) {
        guard.failed(shell("s", failed), ToolError.exit(1, output));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "pip install sklearn | pip install scikit-learn | 'sklearn' is deprecated, use 'scikit-learn' rather",
                "node server.js | node server.mjs | Cannot find module '/x/server.js'. Did you mean server.mjs",
                "python -c 'print 1' | python -c 'print(1)' | SyntaxError: Missing parentheses in call to 'print'",
                "cat config.yml | cat config.yaml | cat: config.yml: No such file. The folder has config.yaml",
                "pip install numpy | pip install 'numpy<2' | ImportError: compiled with NumPy 1.x",
                "git commit -m x | rm -f .git/index.lock && git commit -m x"
                        + " | fatal: Unable to create '.git/index.lock': File exists. Remove the file manually",
                "npm start | fuser -k 3000/tcp; npm start | Error: listen EADDRINUSE: address already in use :::3000",
                "node s.js | kill $(lsof -ti:3000); node s.js | Error: listen EADDRINUSE: address already in use :::3000"
            })
    void succeeded_whatTheOutputNames_isAPair(String failed, String succeeded, String output) {
        guard.failed(shell("s", failed), ToolError.exit(1, output));
        guard.succeeded(shell("s", succeeded));
        assertThat(memory.successes()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pip install pyyaml 2>&1 | tee /tmp/log",
                "echo pyyaml >> requirements.txt && pip install -r requirements.txt",
                "pip install pyyaml ;; git commit -F - <<'EOF'\nmsg\nEOF",
                "pip install pyyaml ;; kubectl patch deployment x -p y",
                "pip install pyyaml ;; sed -i s/a/b/ other.py"
            })
    void succeeded_sameArgumentsAfterAFixThatWrites_isALesson(String between) {
        guard.failed(shell("s", "python report.py"), NO_YAML);
        for (String line : between.split(" ;; ", -1)) {
            guard.succeeded(shell("s", line));
        }
        guard.succeeded(shell("s", "python report.py"));
        assertThat(onlyPair().patternName()).startsWith("first ");
    }

    @Test
    void succeeded_sameArgumentsAfterAnEditThatNamesTheSubject_isNoLesson() {
        guard.failed(shell("s", "python report.py"), NO_YAML);
        guard.succeeded(shell("s", "sed -i s/yaml/json/ report.py"));
        guard.succeeded(ToolCall.json("write_file", "{\"path\":\"report.py\",\"text\":\"import yaml\"}")
                .session("s"));
        guard.succeeded(shell("s", "python report.py"));
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "echo \"1 > 0\" | 1",
                "echo 'a -> b' 2>/dev/null | 1",
                "kubectl patch deployment x -p y | 1",
                "git commit -F - <<'EOF'\\nmsg\\nEOF | 1",
                "cat <<'EOF'\\na > b\\nEOF | 1",
                "echo a \\\\n > a.txt | 0",
                "python - <<'EOF'\\nprint(1)\\nEOF | 1",
                "python - <<'EOF'\\nopen('a', 'w').write('b')\\nEOF | 0",
                "echo \"1 > 0\" > a.txt | 0",
                "bash -lc 'echo x > a.txt' | 0",
                "sed -n -i s/a/b/ a.c | 0",
                "cd x && patch -p1 < a.diff | 0"
            })
    void succeeded_afterAWriter_isNoPair(String writer, int pairs) {
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", writer.replace("\\n", "\n")));
        guard.succeeded(shell("s", "git push --tags"));
        assertThat(memory.successes()).hasSize(pairs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sed | -a ", "echo | \"a\" ", "echo | 2>&1", "cat | \\>", "python a << | w", "'|\"'\\"})
    void succeeded_afterALongLine_isAPair(String text) {
        String start = text.substring(0, text.indexOf('|'));
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", start + text.substring(text.indexOf('|') + 1).repeat(1350)));
        guard.succeeded(shell("s", FIXED));
        assertThat(memory.successes()).hasSize(1);
    }
}
