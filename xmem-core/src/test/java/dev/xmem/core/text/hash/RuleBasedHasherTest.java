package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.testing.ContextHasherContract;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuleBasedHasherTest extends ContextHasherContract {
    private final RuleBasedHasher hasher = new RuleBasedHasher();

    @Override
    protected ContextHasher hasher() {
        return hasher;
    }

    @Test
    void hash_remoteThatIsNotConfigured_configNotFound() {
        HashInput input = HashInput.of("rclone", "sync gdrive-jimmy:folder /local/path")
                .error("Failed to create file system: didn't find section in config file", null);
        assertThat(hasher.hash(input).value()).isEqualTo("rclone-sync-config-not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"make all", "bash -lc 'make all'", "cd a && make all"})
    void hash_programThatTheToolMisses_toolInAnyShell(String call) {
        String error = "make: frob: No such file or directory\nmake: *** [Makefile:2: all] Error 127";

        assertThat(failure("make", call, error)).isEqualTo("make-command-not-found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mv a a/b | mv: cannot move 'a' to a subdirectory of itself, 'a/b/a' | mv-run-into-itself",
                "cp -r a a/b | cp: cannot copy a directory, 'a', into itself, 'a/b/a' | cp-run-into-itself",
                "mv a ./a | mv: 'a' and './a' are the same file | mv-run-same-file",
                "gpg --verify a.sig | gpg: BAD signature from \"a\" [unknown] | gpg-run-bad-signature",
                "chroot /a frob | chroot: failed to run command 'frob': No such file or directory"
                        + " | chroot-command-not-found",
                "unshare -n frob | unshare: failed to execute frob: No such file or directory"
                        + " | unshare-command-not-found",
                "cryptsetup luksOpen a b | Device a is not a valid LUKS device. | cryptsetup-device-invalid",
                "aws s3 ls | The config profile (a) could not be found | aws-profile-not-found",
                "aws sqs list-queues | You must specify a region. | aws-region-not-set"
            })
    void hash_messageOfAProgram_itsCause(String call, String error, String hash) {
        String tool = call.substring(0, call.indexOf(' '));
        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of(tool, call).error(error, 1))
                        .value())
                .isEqualTo(hash);
    }

    @Test
    void hash_makefileThatIsMissing_noMissingProgram() {
        String error = "make: a.mk: No such file or directory\nmake: *** No rule to make target 'a.mk'.  Stop.";
        String program = "make: frob: No such file or directory\nmake: *** [Makefile:2: all] Error 127";

        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of("make", "make -f a.mk").error(error, 2))
                        .value())
                .isEqualTo("make-run-file-not-found");
        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of("make", "make all").error(program, 2))
                        .value())
                .isEqualTo("make-command-not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"npm ERR!", "npm error"})
    void hash_registryDoesNotAnswer_networkTimeout(String prefix) {
        String error = prefix + " network request to https://registry.example.org/left-pad failed,"
                + " reason: connect ETIMEDOUT 10.0.0.1:443";
        assertThat(failure("npm", "npm install left-pad", error)).isEqualTo("npm-install-network-timeout");
    }

    @Test
    void hash_successWithSignature_signature() {
        HashInput input = HashInput.of("git", "commit")
                .patternName("Atomic commit with Co-Authored-By")
                .signature("heredoc");
        assertThat(hasher.hash(input).value()).isEqualTo("git-commit-heredoc");
    }

    @Test
    void hash_successWithoutSignature_wordsOfItsName() {
        HashInput input = HashInput.of("bash", "").patternName("Heredoc: escape quotes");
        assertThat(hasher.hash(input).value()).isEqualTo("bash-heredoc-escape-quotes");
    }

    @Test
    void hash_beforeTheCall_operationAlone() {
        ContextHash hash = hasher.hash(HashInput.of("git", "git -C d push origin main"));
        assertThat(hash.value()).isEqualTo("git-push");
        assertThat(hash.pattern()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "git | push origin main",
                "git | git push origin main",
                "git | sudo env A=b git -C d push origin main",
                "git | cd x && git push origin main 2>&1 | tail -n 5",
                "git | bash -c 'cd x && git push origin main'",
                "Bash | {\"command\": \"cd x && git push origin main\"}",
                "execute_command | {\"cmd\": [\"git\", \"push\", \"origin\", \"main\"], \"timeout\": 3}",
                "/usr/bin/git | push",
                "git.exe | push",
                "bash | -c 'git push'"
            })
    void hash_sameCallInAnotherForm_sameHash(String tool, String action) {
        String error = "error: src refspec main does not match any\nerror: failed to push some refs to 'x.git'";
        assertThat(failure(tool, action, error)).isEqualTo("git-push-no-match");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shell | uv run a.py",
                "uv | uv run a.py",
                "uv | run a.py",
                "uv | run --with x a.py",
                "uv | run python a.py",
                "poetry | poetry run python a.py",
                "poetry | run a.py",
            })
    void hash_scriptOfALauncher_isThatOfTheInterpreter(String tool, String action) {
        String error = "ModuleNotFoundError: No module named 'yaml'";
        assertThat(failure(tool, action, error)).isEqualTo(failure("shell", "python a.py", error));
        assertThat(failure("tsx", "a.ts", "Error: boom")).isEqualTo(failure("shell", "node a.ts", "Error: boom"));
    }

    @Test
    void hash_toolThatIsOnlyASuffix_isNoName() {
        assertThat(failure(".exe", "x", "boom"))
                .isEqualTo(failure("", "x", "boom"))
                .isEqualTo("run-failed");
    }

    @Test
    void hash_otherToolWithJsonArguments_itsOperation() {
        String error = "permission denied";
        assertThat(failure("FileEditor", "{\"action\": \"replaceText\", \"path\": \"a/b\"}", error))
                .isEqualTo("fileeditor-replace-text-permission-denied");
        assertThat(failure("FileEditor", "{\"path\": \"a/b\", \"n\": [1, {\"action\": \"x\"}]}", error))
                .isEqualTo("fileeditor-run-permission-denied");
    }

    @Test
    void hash_wrapperSpeaks_wrapperIsTheTool() {
        assertThat(failure("tar", "sudo tar xf a.tar", "sudo: a password is required"))
                .isEqualTo("sudo-run-auth-failed");
        assertThat(failure("tar", "sudo tar xf a.tar", "tar: a.tar: Cannot open: No such file or directory"))
                .isEqualTo("tar-run-file-not-found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "python3 | python3 a.py | ModuleNotFoundError: No module named 'yaml' | yaml",
                "python3 | python3 a.py | ModuleNotFoundError: No module named 'PIL' | PIL",
                "curl | curl https://a.example.org/x | curl: (6) Could not resolve host: a.example.org | a.example.org",
                "git | fetch fork | fatal: 'fork' does not appear to be a git repository | fork",
                "cat | cat /a/b/c.txt | cat: /a/b/c.txt: No such file or directory | c.txt",
                "git | push | fatal: not a git repository | \"\""
            })
    void subject_namedInTheError_named(String tool, String action, String error, String subject) {
        ContextHash hash = hasher.hash(HashInput.of(tool, action).error(error, 1));
        assertThat(hash.subject()).isEqualTo(subject);
    }

    @Test
    void hash_comparator_isKept() {
        String less = failure("check", "run", "value must be < 1");
        String more = failure("check", "run", "value must be > 1");
        assertThat(less).isNotEqualTo(more);
    }

    @Test
    void hash_httpStatus_isKept() {
        assertThat(failure("curl", "curl http://a/b", "curl: (22) The requested URL returned error: 404"))
                .isEqualTo("curl-run-http-404");
        assertThat(failure("curl", "curl http://a/b", "curl: (22) The requested URL returned error: 500"))
                .isEqualTo("curl-run-http-500");
    }

    @Test
    void explain_failure_saysWhy() {
        HashInput input = HashInput.of("git", "tag v1").error("fatal: tag 'v1' already exists", 128);
        assertThat(hasher.explain(input).explanation())
                .contains("already-exists")
                .contains("tag 'v1'");
        assertThat(hasher.hash(input).explanation()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bash: line 3: yarn: command not found",
                "zsh:1: command not found: yarn",
                "sh: 1: yarn: not found",
                "fish: Unknown command: yarn",
                "env: ‘yarn’: No such file or directory",
                "/usr/bin/env: 'yarn': No such file or directory",
                "xargs: yarn: No such file or directory",
                "timeout: failed to run command ‘yarn’: No such file or directory",
                "make: yarn: No such file or directory",
                "Error: spawn yarn ENOENT",
                "exec: \"yarn\": executable file not found in $PATH",
                "FileNotFoundError: [Errno 2] No such file or directory: 'yarn'",
                "'yarn' is not recognized as an internal or external command,",
                "bash: Zeile 1: yarn: Kommando nicht gefunden."
            })
    void hash_missingProgram_isOfThatProgram(String error) {
        for (String call : List.of("yarn install", "make all", "./run.sh", "bash -lc 'cd a && yarn build'")) {
            assertThat(failure("Bash", "{\"command\":\"" + call + "\"}", error)).isEqualTo("yarn-command-not-found");
        }
    }

    @Test
    void hash_unknownName_staysWithTheShell() {
        assertThat(failure("bash", "bash -c 'quxctl x'", "bash: line 1: quxctl: command not found"))
                .isEqualTo(failure("bash", "bash -c 'otherctl'", "bash: line 1: otherctl: command not found"));
    }

    @Test
    void hash_moduleThatIsRun_isNoMissingScript() {
        String module = failure("python", "python -m quux", "/usr/bin/python3: No module named quux");
        assertThat(module).isEqualTo("python-run-main-module-not-found");
        assertThat(failure("python", "python -m pytest -q", "/usr/bin/python3: No module named pytest"))
                .isEqualTo("pytest-command-not-found");
    }

    @Test
    void hash_variableOfTheEnvironment_isNamed() {
        assertThat(failure("mvn", "mvn test", "The JAVA_HOME environment variable is not defined correctly,"))
                .isEqualTo("mvn-build-java-home-invalid");
        assertThat(failure("sdkmanager", "sdkmanager --list", "ERROR: ANDROID_HOME is not set"))
                .isEqualTo("sdkmanager-android-home-not-set");
    }

    @Test
    void hash_sentence_isNoTool() {
        String sentence =
                failure("Bash", "{\"command\":\"Let me look at the tests first\"}", "bash: Let: command not found");
        assertThat(sentence).isEqualTo("shell-command-not-found");
    }

    @Test
    void hash_scriptOfTheProject_isOfTheProgramThatTheErrorNames() {
        assertThat(failure("Bash", "{\"command\":\"./ship.sh now\"}", "fatal: not a git repository"))
                .isEqualTo("git-not-a-repository");
        assertThat(failure("Bash", "{\"command\":\"./a.sh\"}", "bash: line 1: ./a.sh: Permission denied"))
                .isEqualTo(failure("Bash", "{\"command\":\"./b.sh\"}", "bash: line 1: ./b.sh: Permission denied"));
    }

    @Test
    void hash_usage_isOfNoMistypedOperation() {
        String usage = "Usage:\n  helm [command]\n\nAvailable Commands:\n  install   install a chart\n";
        assertThat(failure("Bash", "{\"command\":\"helm aply x\"}", usage))
                .isEqualTo(failure("Bash", "{\"command\":\"helm instal x\"}", usage));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bzip2 | bzip2 -d a.bz2 | bzip2: a.bz2 is not a bzip2 file.",
                "bzip2 | bzip2 -t b.bz2 | bzip2: b.bz2: bad magic number (file not created by bzip2)"
            })
    void hash_fileThatIsNotOfTheNamedFormat_badFormat(String tool, String call, String error) {
        assertThat(failure(tool, call, error)).isEqualTo("bzip2-run-bad-format");
    }

    @Test
    void hash_unknownFormat_otherCauseThanUnreadableFile() {
        String unknown = "convert: no decode delegate for this image format `BACQ' @ error/constitute.c/ReadImage/594.";
        String unreadable = "convert: improper image header `a.png' @ error/png.c/ReadPNGImage/4110.";
        assertThat(failure("convert", "convert a.bacq b.png", unknown)).isEqualTo("convert-run-unsupported-format");
        assertThat(failure("convert", "convert a.png b.jpg", unreadable)).isEqualTo("convert-run-bad-format");
    }

    @Test
    void hash_targetThatIsNoDirectory_otherCauseThanMissingSource() {
        String file = "mv: target 'c.txt': Not a directory";
        String missing = "mv: target 'out/c': No such file or directory";
        assertThat(failure("mv", "mv a b c.txt", file)).isEqualTo("mv-run-target-not-a-directory");
        assertThat(failure("mv", "mv a b out/c", missing)).isEqualTo("mv-run-target-not-a-directory");
        assertThat(failure("mv", "mv a b", "mv: cannot stat 'a': No such file or directory"))
                .isEqualTo("mv-run-file-not-found");
    }

    @Test
    void hash_mainClassOrClassOfTheProgramMissing_otherCauses() {
        String main = "Error: Could not find or load main class org.a.Main\n"
                + "Caused by: java.lang.ClassNotFoundException: org.a.Main";
        String used = "Exception in thread \"main\" java.lang.NoClassDefFoundError: org/a/Store\n"
                + "\tat org.a.Main.main(Main.java:7)\nCaused by: java.lang.ClassNotFoundException: org.a.Store";
        assertThat(failure("java", "java -cp out org.a.Main", main)).isEqualTo("java-run-main-class-not-found");
        assertThat(failure("java", "java -cp out org.a.Main", used)).isEqualTo("java-run-module-not-found");
    }

    @Test
    void hash_datumBesideTheColon_noPartOfTheCause() {
        assertThat(failure("sort", "sort -c f", "sort: f:2: disorder: ageocoder"))
                .isEqualTo(failure("sort", "sort -c g", "sort: g:7: disorder: ballot"));
        String checksum = ": FAILED\nsha1sum: WARNING: 1 computed checksum did NOT match";
        assertThat(failure("sha1sum", "sha1sum -c a", "roster" + checksum))
                .isEqualTo(failure("sha1sum", "sha1sum -c b", "warehouse" + checksum));
    }

    @Test
    void hash_wordInBraces_name() {
        assertThat(failure("flex", "flex a.l", "a.l:2: undefined definition {RECORD}"))
                .isEqualTo(failure("flex", "flex b.l", "b.l:4: undefined definition {PAYLOAD}"));
    }

    @Test
    void hash_operandNamedLikeTheTool_sameWords() {
        String error = "patch: **** Only garbage was found in the patch input.";
        assertThat(failure("patch", "patch -p1 -i a.patch", error))
                .isEqualTo(failure("patch", "patch -p1 < b.diff", error));
    }

    @Test
    void hash_fileThatCannotBeOpened_causeBehindTheColon() {
        String header = "sox FAIL formats: can't open input file `a.wav': WAVE: RIFF header not found";
        String missing = "sox FAIL formats: can't open input file `b.wav': No such file or directory";
        assertThat(failure("sox", "sox a.wav c.mp3", header)).isEqualTo("sox-run-header-not-found");
        assertThat(failure("sox", "sox b.wav c.mp3", missing)).isEqualTo("sox-run-file-not-found");
    }

    @Test
    void hash_warningThatSaysWhatFailed_outranksTheFileThatFailed() {
        String missing = "warning: failed to load external entity \"/a/b.xsl\"\ncannot parse /a/b.xsl";
        String syntax = "b.xsl:5: parser error : Opening and ending tag mismatch: item line 5 and b\n"
                + "<item></b></x>\n          ^\ncannot parse b.xsl";
        assertThat(failure("xsltproc", "xsltproc b.xsl c.xml", missing)).isEqualTo("xsltproc-run-file-not-found");
        assertThat(failure("xsltproc", "xsltproc b.xsl c.xml", syntax)).isEqualTo("xsltproc-run-syntax-error");
    }

    @Test
    void hash_messageBehindTheCaret_sameAsInOneLine() {
        String caret = "In a.sh line 2:\nrm -r $1/b\n      ^-- SC2086 (info): Double quote to prevent globbing.\n\n"
                + "Did you mean: \nrm -r \"$1\"/b";
        String line = "a.sh:2:5: note: Double quote to prevent globbing and word splitting. [SC2086]";
        assertThat(failure("shellcheck", "shellcheck a.sh", caret)).isEqualTo("shellcheck-run-sc-2086");
        assertThat(failure("shellcheck", "shellcheck -f gcc a.sh", line)).isEqualTo("shellcheck-run-sc-2086");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "metadata --format-version 1", "tree"})
    void hash_dependencyOfCargoThatCannotBeRead_noOperation(String operation) {
        String error = "error: failed to get `a` as a dependency of package `b v0.3.3 (/c/b)`\n\n"
                + "Caused by:\n  failed to load source for dependency `a`";
        assertThat(failure("cargo", "cargo " + operation, error)).isEqualTo("cargo-dependency-conflict");
    }

    @Test
    void hash_nameBehindAnOptionOfUpdateAlternatives_noOperation() {
        assertThat(failure(
                        "update-alternatives",
                        "update-alternatives --display a",
                        "update-alternatives: error: no alternatives for a"))
                .isEqualTo(failure(
                        "update-alternatives",
                        "update-alternatives --display b",
                        "update-alternatives: error: no alternatives for b"));
    }

    @Test
    void hash_headersThatAClientPrintsAsAnObject_areNoEvidence() {
        String answer = "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"pods \\\"a-1\\\" not found\","
                + "\"reason\":\"NotFound\",\"code\":404}";
        String printed = "kubernetes.client.exceptions.ApiException: (404)\nReason: Not Found\n"
                + "HTTP response headers: HTTPHeaderDict({'Audit-Id': '6e', 'Cache-Control': 'no-cache, private'})\n"
                + "HTTP response body: " + answer + "\n";
        assertThat(request("https://10.0.0.1:6443/api/v1/pods/a-1", printed))
                .isEqualTo(request("https://10.0.0.1:6443/api/v1/pods/a-1", answer));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Error response headers: {'x': 1}, body: {'message': 'quota exceeded'}",
                "headers: {'x': 'an object that does not end\nquota exceeded"
            })
    void hash_moreThanHeadersInALine_isEvidence(String error) {
        assertThat(failure("get_page", "{}", error)).endsWith("resource-limit");
    }

    @Test
    void excerpt_onlyHeaders_isNotEmpty() {
        assertThat(Excerpt.of("get_page", "{}", "headers: {}\nheaders: {}").error())
                .isNotEmpty();
    }

    @Test
    void hash_limitOfALength_tooLongOrTooShort() {
        assertThat(failure("create", "{}", "Title must be less than 255 characters"))
                .endsWith("too-long");
        assertThat(failure("create", "{}", "Title must be more than 3 characters"))
                .endsWith("too-short");
        assertThat(failure("create", "{}", "Date is outside the allowed range")).doesNotContain("path-outside");
    }

    @Test
    void hash_missingOrNotAllowed_isMissing() {
        String issue = request("https://x.atlassian.net/rest/a", "Issue does not exist or you do not have permission.");
        String field = request(
                "https://x.atlassian.net/rest/a",
                "{\"errorMessages\":[\"Field 'a' does not exist or you do not have permission to view it.\"]}");
        assertThat(field).isEqualTo("http-request-atlassian-field-not-found").isNotEqualTo(issue);
        assertThat(failure("query", "{}", "Object 'USERS' does not exist or not authorized."))
                .isEqualTo(failure("query", "{}", "Object 'ORDERS' not found or access denied"));
    }

    @Test
    void hash_codeInFrontOfAMessage_isTheCodeOfTheAnswer() {
        String code = request("https://x.my.salesforce.com/a", "INVALID_SESSION_ID: Session expired or invalid");
        assertThat(code)
                .isEqualTo(request(
                        "https://x.my.salesforce.com/a",
                        "[{\"message\":\"Session expired or invalid\",\"errorCode\":\"INVALID_SESSION_ID\"}]"));
        assertThat(request("https://api.airtable.com/v0/a", "UNKNOWN_FIELD_NAME: Unknown field name: \"a\""))
                .isEqualTo(request(
                        "https://api.airtable.com/v0/a",
                        "{\"error\":{\"type\":\"UNKNOWN_FIELD_NAME\",\"message\":\"Unknown field name: \\\"b\\\"\"}}"));
    }

    @Test
    void hash_valueBehindAColon_isNotTheReason() {
        String error = "Incorrect API key provided: sk-1a2b. You can find your API key in the settings.";
        assertThat(failure(
                        "python",
                        "python a.py",
                        "openai.AuthenticationError: Error code: 401 - {'error': {'message': '" + error
                                + "', 'type': 'invalid_request_error'}}"))
                .isEqualTo("python-run-auth-failed-incorrect-api-key-provided");
        assertThat(request("https://api.notion.com/v1/a", "Tenant is not a property that exists."))
                .isEqualTo(request("https://api.notion.com/v1/a", "Amber device is not a property that exists."))
                .endsWith("-property-not-found");
    }

    @Test
    void hash_appletOfAMultiCallProgram_isTheApplet() {
        assertThat(failure("bash", "busybox mv a b", "mv: can't rename 'a': No such file or directory"))
                .isEqualTo(failure("bash", "mv a b", "mv: cannot stat 'a': No such file or directory"));
        assertThat(failure("bash", "dash -c 'echo \"a'", "dash: 1: Syntax error: Unterminated quoted string"))
                .isEqualTo(failure("bash", "busybox sh -c 'echo \"b'", "sh: syntax error: unterminated quoted string"));
    }

    @Test
    void hash_errorCodesOfWebDriver_areCauses() {
        assertThat(failure("click", "{}", "stale element reference: stale element not found in the frame"))
                .isEqualTo("click-run-stale-element");
        assertThat(failure("click", "{}", "element click intercepted: Element <a> is not clickable at point (1, 2)"))
                .isEqualTo(failure("click", "{}", "<div> from <body> subtree intercepts pointer events"));
    }

    @Test
    void hash_textThatAnEditToolDoesNotFind_isNoMissingFile() {
        assertThat(failure("edit_file", "{}", "old_string not found in file: /w/a.py"))
                .isEqualTo(failure("edit_file", "{}", "String to replace not found in file.\nString: x"));
        assertThat(failure("edit_file", "{}", "Failed to edit, expected 1 occurrence but found 3"))
                .isEqualTo(failure("edit_file", "{}", "Found 3 matches of the string to replace"));
    }

    @Test
    void hash_labelOfAQuery_isNoNoun() {
        assertThat(failure("query", "{}", "Query failed: column \"nme\" does not exist"))
                .isEqualTo(failure("query", "{}", "column \"age\" does not exist"));
        assertThat(failure(
                        "query", "{}", "You have an error in your SQL syntax; check the manual near 'SELEC' at line 1"))
                .isEqualTo(
                        failure("query", "{}", "ERROR 1064 (42000): You have an error in your SQL syntax; check it"));
        assertThat(failure("query", "{}", "SQLSTATE[42S02]: Base table not found: Table 'a.b' doesn't exist"))
                .isEqualTo(failure("query", "{}", "Table 'a.c' doesn't exist"));
    }

    private static String request(String url, String error) {
        return failure("http_request", "{\"method\":\"POST\",\"url\":\"" + url + "\"}", error);
    }

    private static String failure(String tool, String action, String error) {
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(error, 1))
                .value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "git push | fatal: No configured push destination. | git-push-no-push-destination",
                "git push | fatal: The current branch topic has no upstream branch. | git-push-no-upstream",
                "docker login r.example | Error: Cannot perform an interactive login from a non TTY device | docker-login-terminal-required",
                "mvn test | [ERROR]   CartTest.total:21 expected: <1> but was: <2> | mvn-build-assertion-failed",
                "svn rm a.txt | svn: E200005: 'a.txt' is not under version control | svn-delete-e200005"
            })
    void hash_twoFixesOfOnePhrase_twoCauses(String action, String error, String hash) {
        String tool = action.substring(0, action.indexOf(' '));
        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of(tool, action).error(error, 1))
                        .value())
                .isEqualTo(hash);
    }
}
