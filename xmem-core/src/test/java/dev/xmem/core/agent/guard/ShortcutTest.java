package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that work because they force, switch off a protection, or do a smaller job, are no lessons by themselves. */
class ShortcutTest {
    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private void solves(String failed, String error, String... next) {
        guard.failed(shell("s", failed), ToolError.exit(1, error.replace("\\n", "\n")));
        for (String call : next) {
            guard.succeeded(shell("s", call));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git push | ! [rejected] main -> main (non-fast-forward)\\nerror: failed to push some refs"
                        + " | git push --force",
                "git push origin main | ! [rejected] main -> main (fetch first)\\nerror: failed to push some refs"
                        + " | git push -f origin main",
                "git checkout main | error: Your local changes to the following files would be overwritten by"
                        + " checkout:\\n\\ta.py\\nPlease commit your changes or stash them before you switch branches."
                        + " | git checkout -f main",
                "terraform apply | Error: Error acquiring the state lock\\n\\nError message:"
                        + " ConditionalCheckFailedException | terraform apply -lock=false",
                "dropdb app | dropdb: error: database removal failed: ERROR: database \"app\" is being accessed by other"
                        + " users | dropdb --force app",
                "curl -sS https://a.example/ | curl: (60) SSL certificate problem: self-signed certificate"
                        + " | curl -k -sS https://a.example/",
                "curl -sS https://a.example/ | curl: (60) SSL certificate problem: self-signed certificate"
                        + " | curl --insecure -sS https://a.example/",
                "wget https://a.example/x | ERROR: cannot verify a.example's certificate, issued by 'CN=a'"
                        + " | wget --no-check-certificate https://a.example/x",
                "git clone https://a.example/x | fatal: unable to access 'https://a.example/x': SSL certificate problem:"
                        + " self-signed certificate | GIT_SSL_NO_VERIFY=1 git clone https://a.example/x",
                "git clone https://a.example/x | fatal: unable to access 'https://a.example/x': SSL certificate problem:"
                        + " self-signed certificate | git -c http.sslVerify=false clone https://a.example/x",
                "Invoke-RestMethod https://a.test | The remote certificate is invalid"
                        + " | Invoke-RestMethod https://a.test -SkipCertificateCheck",
                "helm upgrade web ./web | Error: Kubernetes cluster unreachable: x509: certificate signed by unknown"
                        + " authority | helm upgrade web ./web --kube-insecure-skip-tls-verify",
                "apt-get install -y jq | E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123"
                        + " (apt) | rm /var/lib/dpkg/lock-frontend && apt-get install -y jq",
                "go test ./... | --- FAIL: TestX (0.00s)\\nFAIL\\tgithub.com/a/b\\t0.1s | go test ./... -run TestY",
                "npm test | FAIL src/a.test.js\\nTests: 1 failed | npm test -- src/b.test.js",
                "npx eslint src | /x/src/a.js\\n  1:1  error  'a' is unused  no-unused-vars\\n1 problem"
                        + " | npx eslint src --rule \"no-unused-vars: off\"",
                "npm audit | 2 high severity vulnerabilities | npm audit --audit-level=critical",
                "mypy | src/a.py:3: error: Incompatible types in assignment\\nFound 1 error in 1 file"
                        + " | mypy src/b.py",
                "ruff check . | a.py:1:1: E501 Line too long\\nFound 1 error. | ruff check b.py",
            })
    void succeeded_byAShortcut_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    /** An option that gives up a check makes the command end well, and mends nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "yarn install | error glob@11.0.0: The engine \"node\" is incompatible with this module. Got \"18.19.0\""
                        + " | yarn install --ignore-engines",
                "mypy src | src/a.py:3: error: Cannot find implementation or library stub for module named \"yamlx\""
                        + " | mypy src --ignore-missing-imports",
                "make all | src/pay.c:12:5: error: unknown type name 'money_t'\\nmake: *** [Makefile:8: pay.o] Error 1"
                        + " | make -k all",
                "docker run acme/probe | iptables: Operation not permitted | docker run --privileged acme/probe",
                "./deploy.sh | bash: ./deploy.sh: Permission denied | chmod 777 deploy.sh && ./deploy.sh",
                "./deploy.sh | bash: ./deploy.sh: Permission denied | chmod a+rwx deploy.sh && ./deploy.sh",
                "pip install --require-hashes -r r.txt | ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE"
                        + " REQUIREMENTS FILE. | pip install --no-deps -r r.txt",
                "pip install --require-hashes -r r.txt | ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE"
                        + " REQUIREMENTS FILE. | pip install -r r.txt",
                "./gradlew build | Dependency verification failed for configuration ':compileClasspath'"
                        + " | ./gradlew build --dependency-verification=lenient",
                "npx eslint src --max-warnings 0 | 3:7  warning  'x' is never used\\nESLint found too many warnings"
                        + " | npx eslint src --max-warnings 50",
                "go test ./... | pay/pay.go:12:2: fmt.Printf format %d has arg of wrong type | go test -vet=off ./...",
                "rpm -i a.rpm | error: Failed dependencies: libfoo.so.2 is needed by a-2.1 | rpm -i --nodeps a.rpm",
            })
    void succeeded_withoutACheck_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git apply fix.patch | error: src/app.c: patch does not apply | git apply --ignore-whitespace fix.patch",
                "kubectl drain n7 | error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"
                        + " | kubectl drain n7 --ignore-daemonsets",
                "bq load shop.items i.csv | Could not parse 'id' as INT64 (position 0)"
                        + " | bq load --skip_leading_rows=1 shop.items i.csv",
                "./deploy.sh | bash: ./deploy.sh: Permission denied | chmod +x deploy.sh && ./deploy.sh",
                "ssh-add key | Permissions 0644 for 'key' are too open. | chmod 600 key && ssh-add key",
                "git merge old/main | fatal: refusing to merge unrelated histories"
                        + " | git merge --allow-unrelated-histories old/main",
            })
    void succeeded_withAnOptionThatGivesUpNoCheck_isALesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).hasSize(1);
    }

    /** What destroys what was there works, and is nothing to advise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git pull | error: Your local changes to the following files would be overwritten by"
                        + " merge:\\n\\tsrc/a.c | git reset --hard && git pull",
                "git checkout main | error: The following untracked working tree files would be overwritten by"
                        + " checkout:\\n\\tfoo.txt | git clean -fd && git checkout main",
                "prisma migrate dev | Drift detected: Your database schema is not in sync with your migration"
                        + " history. | prisma migrate reset --force && prisma migrate dev",
                "rails db:migrate | ActiveRecord::StatementInvalid: relation users already exists | rails"
                        + " db:drop && rails db:migrate",
                "docker compose up -d | failed to initialize database: incompatible version | docker compose"
                        + " down -v && docker compose up -d",
                "docker compose up -d | failed to initialize database: incompatible version | docker-compose"
                        + " down --volumes && docker compose up -d",
                "docker compose up -d | Error response from daemon: Conflict. The container name \"/db\" is"
                        + " already in use | docker rm -f db && docker compose up -d",
                "helm install app ./c | Error: INSTALLATION FAILED: cannot re-use a name that is still in use |"
                        + " helm uninstall app && helm install app ./c",
                "kubectl apply -f d.yaml | The Deployment \"d\" is invalid: spec.selector: field is immutable |"
                        + " kubectl delete -f d.yaml && kubectl apply -f d.yaml",
                "terraform apply | Error: Instance cannot be destroyed\\nresource has lifecycle.prevent_destroy"
                        + " set | terraform state rm aws_instance.x && terraform apply",
                "terraform apply | Error: Error acquiring the state lock | terraform force-unlock -force abc &&"
                        + " terraform apply",
                "minikube start | X Exiting due to GUEST_PROVISION: broken profile | minikube delete && minikube"
                        + " start",
                "git branch -d topic | error: The branch 'topic' is not fully merged. | git branch -D topic",
                "git pull | fatal: Unable to create '/p/.git/index.lock': File exists. | rm -f .git/index.lock"
                        + " && git pull",
                "bundle install | Errno::EACCES: cannot write ./data/app.sqlite3 | rm -rf data/app.sqlite3 &&"
                        + " bundle install",
            })
    void succeeded_byDestroying_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git merge topic | CONFLICT (content): Merge conflict in a.c | git merge --abort",
                "git rebase main | CONFLICT (content): Merge conflict in a.c\\nerror: could not apply 1234567..."
                        + " x | git rebase --skip",
                "git cherry-pick 1a2b3c4 | error: could not apply 1a2b3c4... x | git cherry-pick --quit",
                "pytest -q | FAILED tests/test_a.py::test_x - AssertionError: snapshot mismatch\\n1 failed, 12"
                        + " passed | pytest -q --snapshot-update",
                "npx jest | 1 snapshot failed.\\nTests: 1 failed, 12 passed, 13 total | npx jest -u",
                "flutter test | Golden \"goldens/a.png\": Pixel test failed, 0.12% diff | flutter test"
                        + " --update-goldens",
                "go test ./... | --- FAIL: TestRender (0.00s)\\n    golden file differs | UPDATE_GOLDEN=1 go"
                        + " test ./...",
                "cargo test | test tests::bad ... FAILED\\ntest result: FAILED. 1 passed; 1 failed | cargo test"
                        + " --no-run",
                "go test ./... | --- FAIL: TestA (0.00s)\\nFAIL | go test -short ./...",
                "./gradlew build | > Task :spotlessJavaCheck FAILED\\n\\nExecution failed for task"
                        + " ':spotlessJavaCheck'. | ./gradlew build -x spotlessJavaCheck",
                "./gradlew test | FooTest > bar() FAILED\\n    org.opentest4j.AssertionFailedError | ./gradlew"
                        + " test -PexcludeTests=FooTest",
                "pytest | E   psycopg2.OperationalError: connection refused\\n3 errors | pytest -m \"not"
                        + " integration\"",
                "pytest | E   psycopg2.OperationalError: connection refused\\n3 errors | pytest tests/unit",
                "npm test | Error: connect ECONNREFUSED 127.0.0.1:5432 | npm test -- --testNamePattern=unit",
                "docker build -t x . | ERROR: failed to solve: process \"/bin/sh -c npm test\" did not complete"
                        + " | docker build -t x --target deps .",
                "eslint src | 3:1  error  'x' is defined but never used  no-unused-vars | eslint src --no-eslintrc",
                "python -m pytest tests/a.py | E   assert 1 == 2\\n1 failed | python -O -m pytest tests/a.py",
            })
    void succeeded_withoutTheWork_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git push | ! [rejected] main -> main (fetch first)\\nerror: failed to push some refs | git push"
                        + " origin +main",
                "git push | ! [rejected] main -> main (fetch first)\\nerror: failed to push some refs | git push"
                        + " --force-with-lease",
                "gh pr merge 12 | X Pull request #12 is not mergeable: the base branch policy prohibits the"
                        + " merge. | gh pr merge 12 --admin",
                "dpkg -i a.deb | dpkg: dependency problems prevent configuration of a: | dpkg -i --force-depends"
                        + " a.deb",
                "prisma db push | There might be data loss when applying the changes: | prisma db push"
                        + " --accept-data-loss",
                "git commit -m x | husky - pre-commit hook exited with code 1 (error) | git commit -n -m x",
                "git commit -m x | husky - pre-commit hook exited with code 1 (error) | git -c"
                        + " core.hooksPath=/dev/null commit -m x",
                "git commit -m x | husky - pre-commit hook exited with code 1 (error) | git -c core.hooksPath="
                        + " commit -m x",
                "mvn verify | You have 3 Checkstyle violations. | mvn verify -Dcheckstyle.skip",
                "mvn verify | Some Enforcer rules have failed. | mvn verify -Denforcer.skip=true",
                "./gradlew build | Execution failed for task ':dependencyCheckAnalyze'. | ./gradlew build"
                        + " -PdependencyCheck.skip=true",
                "kubectl apply -f d.yaml | error validating \"d.yaml\": unknown field \"foo\" | kubectl apply -f"
                        + " d.yaml --validate=false",
                "pip install -r r.txt | ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS"
                        + " FILE. | pip install --no-require-hashes -r r.txt",
                "go build ./... | go: example.com/x@v1.0.0: verifying module: checksum mismatch | GOSUMDB=off go"
                        + " build ./...",
                "go get private.io/x | x509: certificate signed by unknown authority | GOINSECURE=private.io go"
                        + " get private.io/x",
                "npm install | npm ERR! code SELF_SIGNED_CERT_IN_CHAIN | NODE_TLS_REJECT_UNAUTHORIZED=0 npm install",
                "npm install | npm ERR! code SELF_SIGNED_CERT_IN_CHAIN | export NODE_TLS_REJECT_UNAUTHORIZED=0;"
                        + " npm install",
            })
    void succeeded_byForceOrWithoutACheck_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    /** A step that destroys is left out of a lesson, and what a tool makes again may go. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "docker run --name docs -p 8080:80 nginx | Bind for 0.0.0.0:8080 failed: port is already"
                        + " allocated. | docker rm docs && docker run --name docs -p 8089:80 nginx | 0",
                "npm ci | npm ERR! code ENOTEMPTY: rename node_modules/a | rm -rf node_modules && npm ci | 1",
                "cmake . | CMake Error: The current CMakeCache.txt directory is different than before | rm"
                        + " CMakeCache.txt && cmake . | 1",
                "git fetch | error: cannot lock ref 'refs/remotes/origin/x'\\ntry running 'git remote prune"
                        + " origin' to remove old branches | git remote prune origin && git fetch | 1",
                "git commit -am x | error: pathspec 'y' did not match | git reset HEAD y && git commit -am x | 1",
            })
    void succeeded_afterAStepThatRemoves_isALessonIfNothingIsLost(
            String failed, String error, String retry, int lessons) {
        solves(failed, error, retry);
        assertThat(memory.successes()).hasSize(lessons);
    }

    @Test
    void succeeded_afterACallThatDestroys_doesNotTellThatCall() {
        solves(
                "docker run --name docs -p 8080:80 nginx",
                "Bind for 0.0.0.0:8080 failed: port is already allocated.",
                "docker volume rm docs",
                "docker run --name docs -p 8089:80 nginx");
        assertThat(memory.successes())
                .singleElement()
                .satisfies(success ->
                        assertThat(success.keySteps()).containsExactly("docker run --name docs -p 8089:80 nginx"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"force\":true", "\"verify\":false", "\"skip_checks\":true", "\"insecure\":true"})
    void succeeded_withSuchAMember_isNoLesson(String member) {
        guard.failed(
                ToolCall.json("deploy", "{\"app\":\"web\"}").session("s"),
                ToolError.text("Error: the release 42 of the app is frozen"));
        guard.succeeded(
                ToolCall.json("deploy", "{\"app\":\"web\"," + member + "}").session("s"));
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apt-get install -y jq | E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123"
                        + " (apt) | sudo rm -f /var/lib/dpkg/lock-frontend",
            })
    void succeeded_afterALockWasDeleted_isNoLesson(String failed, String error, String step) {
        solves(failed, error, step, failed);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "docker rm web | Error response from daemon: cannot remove container \"/web\": container is running: stop"
                        + " the container before removing or force remove | docker rm --force web",
                "git worktree remove wt | fatal: 'wt' contains modified or untracked files, use --force to delete it"
                        + " | git worktree remove --force wt",
                "git branch -d topic | error: The branch 'topic' is not fully merged.\\nIf you are sure you want to"
                        + " delete it, run 'git branch -D topic'. | git branch -D topic",
                "npm install | npm error code ERESOLVE\\nnpm error Fix the upstream dependency conflict, or retry this"
                        + " command with --force or --legacy-peer-deps | npm install --force",
                "terraform apply | Error: Error acquiring the state lock | terraform apply -lock-timeout=60s",
                "pip install --upgrade x | ERROR: Cannot uninstall 'PyYAML'. It is a distutils installed project"
                        + " | pip install --upgrade --force-reinstall x",
                "mypy | usage: mypy [-h] [files ...]\\nmypy: error: Missing target module, package, files, or command."
                        + " | mypy src",
                "npm install | npm ERR! code EUSAGE\\nnpm ERR! package-lock.json is out of sync while running process"
                        + " | rm -rf node_modules package-lock.json && npm install",
                "git commit -m x | fatal: Unable to create '.git/index.lock': File exists.\\n\\nAnother git process seems to"
                        + " be running in this repository. If it still fails, remove the file manually to continue."
                        + " | rm -f .git/index.lock && git commit -m x",
                "buildah push api reg.local:5000/api | pinging registry: http: server gave HTTP response to HTTPS client"
                        + " | buildah push --tls-verify=false api reg.local:5000/api",
                "ruff . | error: unrecognized subcommand '.' | ruff check .",
                "ln -s a b | ln: failed to create symbolic link 'b': File exists | ln -sf a b",
            })
    void succeeded_asTheErrorAdvised_isALesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).hasSize(1);
    }
}
