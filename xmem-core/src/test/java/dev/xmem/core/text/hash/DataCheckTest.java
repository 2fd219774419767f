package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What validators say of a value, and what stands in front of it. */
final class DataCheckTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();
    private static final String ISSUE = "[{\"kind\":\"schema\",\"type\":\"%s\",\"expected\":\"x\",\"received\":\"y\","
            + "\"message\":\"%s\",\"path\":[{\"type\":\"object\",\"input\":{\"state\":\"lent\"},\"key\":\"pages\"}]}]";

    private static String hash(String tool, String action, String error) {
        return HASHER.hash(HashInput.of(tool, action).error(error, 1)).value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "field-missing   | pages must be a number (was missing)",
                "field-missing   | Invalid key: Expected \"pages\" but received undefined",
                "field-missing   | data must contain ['pages'] properties",
                "field-missing   | Invalid value undefined supplied to : { pages: number }/pages: number",
                "invalid-choice  | state must be \"lent\", \"free\" or \"lost\" (was \"gone\")",
                "invalid-choice  | Invalid type: Expected (\"lent\" or \"free\") but received \"gone\"",
                "type-mismatch   | Invalid type: Expected number but received \"many\"",
                "type-mismatch   | Invalid value \"many\" supplied to : { pages: number }/pages: number",
            })
    void hash_issueOfAValidator_isItsCause(String cause, String message) {
        assertThat(hash("add_book", "{\"pages\": 3}", message)).isEqualTo("add-book-run-" + cause);
        assertThat(hash("add_book", "add_book {\"pages\": 3}", "Invalid arguments: " + message))
                .isEqualTo("add-book-run-" + cause);
        assertThat(hash("add_book", "{\"pages\": 3}", ISSUE.formatted("object", message.replace("\"", "\\\""))))
                .isEqualTo("add-book-run-" + cause);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "too-long     | String should have at most 80 characters",
                "too-long     | ensure this value has at most 20 characters",
                "too-long     | must NOT have more than 20 characters",
                "too-short    | String must contain at least 2 character(s)",
                "out-of-range | Too small: expected number to be >=1",
                "out-of-range | Too big: expected number to be <=480",
                "field-missing | pages should not be null or undefined",
                "field-missing | Required at \"pages\"",
            })
    void hash_boundOfAValue_isItsCause(String cause, String message) {
        assertThat(hash("add_book", "{\"pages\": 3}", message)).isEqualTo("add-book-run-" + cause);
        assertThat(hash("add_book", "{\"pages\": 3}", "Invalid arguments: " + message))
                .isEqualTo("add-book-run-" + cause);
    }

    @Test
    void hash_listInASyntaxError_isNoChoice() {
        assertThat(hash("node", "node a.js", "SyntaxError: Expected 'catch' or 'finally' but got 'x'"))
                .isEqualTo("node-run-syntax-error");
    }

    @Test
    void hash_documentWithTheFieldsOfATask_isNoAnswer() {
        String error =
                "Decoding error:\n{\n  \"title\": \"Mend shelf\",\n  \"status\": \"open\"\n}\n^ Missing key: 'pages'";

        assertThat(hash("add_book", "{\"title\": \"Mend shelf\"}", error)).doesNotContain("open", "mend");
    }

    @Test
    void hash_groupOfExceptions_isTheInnermost() {
        String error = "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 3, in f\n"
                + "  | book.errors.ShelfGroup: While reading (1 sub-exception)\n"
                + "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n"
                + "    |   File \"b.py\", line 9, in g\n    | ZeroDivisionError: division by zero\n"
                + "    +------------------------------------\n";

        assertThat(hash("python", "python a.py", error)).isEqualTo("python-run-division-by-zero");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-03-04 05:06:07,123 ERROR [worker-2] c.a.Runner - unexpected error",
                "2026-03-04 05:06:07.123 [main] INFO  shelf - Starting version 3",
            })
    void hash_lineOfALogInFront_isTheSame(String log) {
        String error = "mapping values are not allowed here\n in 'string', line 2, column 9:\n";

        assertThat(hash("java", "java -jar a.jar", log + '\n' + error))
                .isEqualTo(hash("java", "java -jar a.jar", error))
                .isEqualTo("java-run-syntax-error-mapping-values-not");
        assertThat(hash("java", "java -jar a.jar", "Exception in thread \"worker-1\" " + error))
                .isEqualTo("java-run-syntax-error-mapping-values-not");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Table \"SHELF\" not found; SQL statement: SELECT gt FROM shelf WHERE id > 3 [42102-224] | table-not-found",
                "E: code=2200 [Invalid query] message=\"unconfigured table shelf\" | table-not-found",
                "integrity constraint violation: unique constraint or index violation ; SYS_PK_1 table: SHELF | unique-violation",
                "integrity constraint violation: NOT NULL check constraint ; SYS_CT_1 table: SHELF | not-null-violation",
            })
    void hash_messageOfADatabase_isItsCause(String message, String cause) {
        assertThat(hash("db_query", "{\"sql\": \"x\"}", message)).isEqualTo("db-query-run-" + cause);
    }
}
