package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One failure inside of what a host, a driver or a stage of a tool puts around it. */
final class WrappedFailureTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "relation \"maples\" does not exist",
                "Error executing tool query: relation \"maples\" does not exist",
                "Error calling tool 'query': relation \"maples\" does not exist",
                "MCP tool error: relation \"maples\" does not exist",
                "MCP error -32603: Tool error: relation \"maples\" does not exist",
                "{\"content\":[{\"type\":\"text\",\"text\":\"relation \\\"maples\\\" does not exist\"}],\"isError\":true}"
            })
    void hash_wordsOfAHost_noPartOfTheMessage(String error) {
        assertThat(hash("mcp__postgres__query", "{\"sql\": \"select 1\"}", error))
                .isEqualTo("mcp-postgres-query-run-relation-not-found");
    }

    @Test
    void hash_envelopeOfSeveralLines_readLineByLine() {
        String text = "page.click: Timeout 3000ms exceeded.\nCall log:\n  - waiting for locator('#a')\n"
                + "  - attempting click action\n    - element is not visible\n  - retrying click action";
        String envelope = "{\"content\": [{\"type\": \"text\", \"text\": \"" + text.replace("\n", "\\n")
                + "\"}], \"isError\": true}";
        assertThat(hash("browser_click", "{\"ref\": \"e1\"}", envelope))
                .isEqualTo(hash("browser_click", "{\"ref\": \"e1\"}", text))
                .endsWith("-element-not-visible");
    }

    @Test
    void hash_envelopeWithoutText_noException() {
        for (String open : List.of(
                "{\"content\":[",
                "{\"content\":[[[[[",
                "{'content': [{'text': 'a\nb",
                "{\"content\":[{\"text\":3}]}")) {
            assertThat(hash("t", "", open)).startsWith("t-");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"psycopg2.errors.", "psycopg.errors."})
    void hash_exceptionOfADriverInAnother_thatOfTheDriver(String driver) {
        String message = "duplicate key value violates unique constraint \"maples_pkey\"";
        String wrapped = "sqlalchemy.exc.IntegrityError: (" + driver + "UniqueViolation) " + message
                + "\n[SQL: INSERT INTO maples (id) VALUES (1)]\n(Background on this error at: https://sqlalche.me/e/21/gkpj)";
        assertThat(hash("python", "python app.py", wrapped))
                .isEqualTo(hash("python", "python app.py", driver + "UniqueViolation: " + message))
                .isEqualTo("python-psycopg-unique-violation");
    }

    @Test
    void hash_statementInFrontOfTheMessage_noPartOfIt() {
        String message = "permission denied for table maples";
        assertThat(hash("node", "node app.mjs", "error: select * from secrets - " + message))
                .isEqualTo(hash("node", "node app.mjs", "error: " + message));
    }

    @Test
    void hash_fieldsOfANodeException_noPartOfTheCallLog() {
        String error = "page.goto: Timeout 30000ms exceeded.\nCall log:\n  - navigating to \"https://a.example/\"\n\n"
                + "    at file:///app/t.mjs:7:14 {\n  name: 'TimeoutError'\n}";
        assertThat(hash("node", "node t.mjs", error)).isEqualTo("node-run-timeout-goto");
        assertThat(hash("node", "node t.mjs", error.replace("goto", "click"))).isEqualTo("node-run-timeout-click");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cargo | build, test, check | no matching package named `maple` found",
                "go | build, vet, test | main.go:2:8: package maple/oak is not in std",
                "swift | build, test | /a/Sources/A/B.swift:7:4: error: no such module 'Maple'",
                "helm | install, upgrade, template | chart \"maple\" not found in https://charts.maple.com repository",
                "kubectl | apply, create, delete | error: the path \"maple.yaml\" does not exist"
            })
    void hash_stageBeforeTheOperation_noOperation(String tool, String operations, String error) {
        assertThat(operations.split(", "))
                .extracting(operation -> hash(tool, tool + ' ' + operation, error))
                .containsOnly(hash(tool, tool + " --maple", error));
    }

    @ParameterizedTest
    @CsvSource({"go build -o app . && ./app, go", "cargo build && ./target/debug/app, cargo"})
    void hash_programThatTheLineBuilt_runOfItsTool(String line, String tool) {
        String error = "thread 'main' panicked: attempt to divide by zero";
        assertThat(hash("bash", line, error)).isEqualTo(hash("bash", tool + " run", error));
    }

    @ParameterizedTest
    @ValueSource(strings = {"key :quota not found in: %{a: 1}", "imports quota/route/a: import cycle not allowed"})
    void hash_nameThatIsAWordOfALimit_noLimit(String error) {
        assertThat(hash("elixir", "elixir a.exs", error)).doesNotContain("limit");
    }

    @Test
    void hash_lineOfABuildBelowAnException_noPartOfIt() {
        String error = "com.example.json.InvalidTypeIdException: Could not resolve type id 'maple'";
        String report = "[ERROR] Tests run: 3, Errors: 1 <<< FAILURE! -- in a.BTest\n" + error
                + "\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.0.0:test"
                + " (default-test) on project a: There are test failures.";
        assertThat(hash("mvn", "mvn test", report)).doesNotContain("assertion-failed");
    }

    @Test
    void hash_wordAloneBehindAnError_lessThanTheMessageAboveIt() {
        String error = "/a/Sources/A/B.swift:7:4: error: type 'B' does not conform to protocol 'Maple'";
        assertThat(hash("swift", "swift build", error + "\nerror: fatalError"))
                .isEqualTo(hash("swift", "swift build", error));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"email\" with value \"a\" fails to match the required pattern: /x/ | pattern-mismatch",
                "string does not match regex \"^[a-z]+$\" | pattern-mismatch",
                "minutes must be a `number` type, but the final value was: `NaN` | type-mismatch",
                "this field has unspecified keys: color | field-unexpected"
            })
    void hash_messageOfAValidator_itsCause(String error, String cause) {
        assertThat(hash("save_form", "{\"title\": \"b\"}", error)).isEqualTo("save-form-run-" + cause);
    }

    private static String hash(String tool, String action, String error) {
        String stored = Excerpt.of(tool, action, error).text();
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(stored, 1))
                .value();
    }
}
