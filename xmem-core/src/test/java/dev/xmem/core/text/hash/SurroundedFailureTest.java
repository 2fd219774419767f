package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One failure with other values, and with what a tool prints around it. */
final class SurroundedFailureTest {
    private static final String SHELL_CALL = "{\"command\": \"%s\"}";

    @ParameterizedTest
    @CsvSource({
        "sudo tar xf a.tar, sudo: unable to resolve host ci-7: Name or service not known",
        "nice -n -5 tar xf a.tar, nice: cannot set niceness: Permission denied",
        "nohup tar xf a.tar, nohup: ignoring input",
        "bash -lc 'tar xf a.tar', bash: warning: setlocale: LC_ALL: cannot change locale (xx_XX): No such file",
        "bash -ic 'tar xf a.tar', bash: cannot set terminal process group (7): Inappropriate ioctl for device",
        "tar xf a.tar, Warning: Permanently added 'ci-7' (ED25519) to the list of known hosts.",
        "tar xf a.tar, stdin: is not a tty",
        "tar xf a.tar, tput: No value for $TERM and no -T specified",
        "tar xf a.tar, Picked up JAVA_TOOL_OPTIONS: -Derror.file=missing",
        "tar xf a.tar, ERROR: ld.so: object 'a.so' from LD_PRELOAD cannot be preloaded: ignored."
    })
    void hash_noteOfAWrapper_noDiagnosis(String call, String note) {
        String error = "tar: a.tar: Cannot open: No such file or directory";

        assertThat(hash("tar", call, note + '\n' + error)).isEqualTo(hash("tar", "tar xf a.tar", error));
    }

    @Test
    void hash_onlyANoteOfAWrapper_isTheCause() {
        assertThat(hash("sudo", "sudo frob", "sudo: unable to resolve host ci-7: Name or service not known"))
                .endsWith("-dns-failure");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ValidationError: \"colour\" is not allowed",
                "{\"statusCode\":400,\"error\":\"Bad Request\",\"message\":\"\\\"colour\\\" is not allowed\"}"
            })
    void hash_messageOfATool_sameInAnAnswer(String error) {
        assertThat(hash("create_invite", "{\"title\": \"a\"}", error))
                .isEqualTo("create-invite-run-invalid-not-allowed");
    }

    @ParameterizedTest
    @CsvSource({
        "https://maple.example/plan, Failed to fetch https://maple.example/plan - status code 404",
        "https://alder.example/a, Error: Failed to fetch https://alder.example/a - status code 404",
        "https://rowan.example/b, MCP error -32603: Failed to fetch https://rowan.example/b - status code 404"
    })
    void hash_toolThatReadsPages_siteIsAValue(String url, String error) {
        assertThat(hash("mcp__fetch__fetch", "{\"url\": \"" + url + "\"}", error))
                .isEqualTo("mcp-fetch-fetch-run-http-404");
    }

    @Test
    void hash_requestOfAFetchTool_serviceStays() {
        String call = "{\"method\": \"POST\", \"url\": \"https://api.stripe.com/v1/charges\"}";
        assertThat(hash("fetch", call, "HTTP 404: no such charge")).startsWith("fetch-stripe-");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "page.fill: Timeout 300ms exceeded.",
                "TimeoutError: locator.fill: Timeout 500ms exceeded.",
                "Failed to execute: page.fill: Timeout 20ms exceeded."
            })
    void hash_toolThatWaits_noNetwork(String error) {
        assertThat(hash("browser_type", "{\"text\": \"x\"}", error)).isEqualTo("browser-type-run-timeout");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NoSuchElementException: Message: no such element: Unable to locate element: #a",
                "no such element: Unable to locate element: #b"
            })
    void hash_messageOfATool_outranksItsClass(String error) {
        assertThat(hash("selenium_click", "{\"value\": \"#a\"}", error))
                .isEqualTo("selenium-click-run-element-not-found");
    }

    @Test
    void hash_classOfARefusal_outranksTheMessage() {
        String error = "AuthenticationError: HELLO must be called with the client already authenticated";
        assertThat(hash("redis_command", "{\"key\": \"a\"}", error)).endsWith("-auth-failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"get_weather", "append_file"})
    void hash_toolThatAServerLacks_ofTheServer(String tool) {
        assertThat(hash("mcp__files__" + tool, "{}", "MCP error -32602: Tool " + tool + " not found"))
                .isEqualTo("mcp-files-unknown-tool");
    }

    @ParameterizedTest
    @ValueSource(strings = {"git push origin", "rm -rf build", "docker rm web"})
    void hash_callThatTheUserRefused_ofTheTool(String command) {
        String error = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        assertThat(hash("Bash", SHELL_CALL.formatted(command), error)).isEqualTo("bash-refused-by-user");
        assertThat(hash("git", "git push", error)).isEqualTo("git-refused-by-user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Usage: sprocket [-v] [-o FILE] <pid>\n    (to connect to a running process)\n\nOptions:\n"
                        + "    -l  long listing. Prints additional information about locks\n",
                "usage: sprocket [-abc]\n  -n        do not resolve host names\n  --size    must be less than or equal\n"
            })
    void hash_helpOfATool_isUsage(String error) {
        assertThat(hash("sprocket", "sprocket --what", error)).isEqualTo("sprocket-usage");
    }

    @Test
    void hash_synopsisBelowAMessage_noDiagnosis() {
        String error = "\nIn RunScriptCommand.php line 124:\n\n  Script \"plum\" is not defined in this package  \n\n"
                + "run-script [--timeout TIMEOUT] [--dev] [--no-dev] [-l|--list] [--] [<script> [<args>...]]\n";
        assertThat(hash("composer", "composer run plum", error))
                .isEqualTo(hash("composer", "composer run-script plum-tree", error.replace("plum", "plum-tree")))
                .endsWith("-undefined-symbol");
    }

    @Test
    void hash_errorWithOptionsInIt_staysTheDiagnosis() {
        assertThat(hash("sprocket", "sprocket", "sprocket: error: one of [-a] [-b] is required\n"))
                .isEqualTo("sprocket-run-required-one");
    }

    @Test
    void hash_lineThatTheTestOfAConfigurationFailed_isNoDiagnosis() {
        String trailer = "\nnginx: configuration file /srv/plum/a.conf test failed";
        String missing = hash(
                "nginx", "nginx -t -c a.conf", "[emerg] 7#7: unknown directive \"plum\" in /srv/a.conf:4" + trailer);
        String brace =
                hash("nginx", "nginx -t -c a.conf", "[emerg] 7#7: unexpected end of file in /srv/a.conf:8" + trailer);

        assertThat(missing)
                .isNotEqualTo(brace)
                .isEqualTo(hash("nginx", "nginx -s reload", "[emerg] 9#9: unknown directive \"fig\" in /etc/b.conf:2"));
    }

    @Test
    void hash_launcherOfTheJvm_sameCauseBehindItsTrailers() {
        String trailer = "\nError: Could not create the Java Virtual Machine.\n"
                + "Error: A fatal exception has occurred. Program will exit.\n";
        assertThat(hash("java", "java --plum -jar a.jar", "Unrecognized option: --plum" + trailer))
                .isEqualTo("java-run-unknown-option");
        assertThat(hash("java", "java -Xmx9x -jar a.jar", "Invalid maximum heap size: -Xmx9x" + trailer))
                .isEqualTo("java-run-size-invalid");
    }

    @Test
    void hash_portThatASystemGives_noService() {
        String answer = "{\"status\": 404, \"message\": \"pods \\\"web-1\\\" not found\"}";
        String call = "{\"method\": \"GET\", \"url\": \"https://127.0.0.1:%s/api/v1/pods/web-1\"}";
        assertThat(hash("http_request", call.formatted("44643"), answer))
                .isEqualTo(hash("http_request", call.formatted("50012"), answer))
                .isNotEqualTo(hash("http_request", call.formatted("6443"), answer));
    }

    @Test
    void hash_missingFileInsideOfATool_notThatOfTheUser() {
        String inner = "iconv: failed to start conversion processing: No such file or directory\n";
        String outer = "iconv: cannot open input file `plum.txt': No such file or directory\n";
        assertThat(hash("iconv", "iconv -f PLUM-6 -t UTF-8 plum.txt", inner))
                .isEqualTo("iconv-run-file-not-found-cannot-start-conversion");
        assertThat(hash("iconv", "iconv -f latin1 -t UTF-8 plum.txt", outer)).isEqualTo("iconv-run-file-not-found");
    }

    @Test
    void hash_sentenceOfTheUser_noCause() {
        String thrown =
                "/srv/app/main.js:7\n  throw new Error('%1$s');\n        ^\n\nError: %1$s\n    at main (/srv/app/main.js:7:9)\n";
        assertThat(hash("node", "node main.js", thrown.formatted("document cart profile order")))
                .isEqualTo(hash("node", "node main.js", thrown.formatted("device account save report")))
                .isEqualTo("node-run-failed");
        assertThat(hash("node", "node main.js", thrown.formatted("cart is empty")))
                .isNotEqualTo("node-run-failed");
    }

    @Test
    void hash_nameBehindAColon_leftOut() {
        String call =
                "{\"method\": \"POST\", \"url\": \"https://bigquery.googleapis.com/bigquery/v2/projects/a/queries\"}";
        String answer = "{\"error\":{\"code\":400,\"message\":\"Unrecognized name: %s at [1:34]\"}}";
        assertThat(hash("http_request", call, answer.formatted("plum")))
                .isEqualTo(hash("http_request", call, answer.formatted("alder")))
                .endsWith("-unrecognized-name");
    }

    @ParameterizedTest
    @CsvSource({
        "sprocket: unrecognised option `--plum', sprocket-run-unknown-option",
        "sprocket: Unknown command line argument '--plum'., sprocket-run-unknown-option",
        "sprocket: plum.o: The file was not recognized as a valid object file, sprocket-run-bad-format",
        "sprocket: error reading 'plum', sprocket-run-read-failed",
        "sprocket: Can't open display:, sprocket-run-display-not-available"
    })
    void hash_messageOfAnUnknownProgram_namesItsCause(String error, String expected) {
        assertThat(hash("sprocket", "sprocket x", error)).isEqualTo(expected);
    }

    private static String hash(String tool, String action, String error) {
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(error, 1))
                .value();
    }
}
