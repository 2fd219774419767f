package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One failure that a program, a library or a service reports in two ways. */
final class RepeatedFailureTest {
    private static final String REQUEST = "{\"method\": \"POST\", \"url\": \"%s\"}";
    private static final String MODELS = String.format(REQUEST, "https://api.maple.com/v1/models");

    @ParameterizedTest
    @ValueSource(strings = {"gpg: пропущено «ada»: No secret key", "gpg: pominięty „bob”: No secret key"})
    void hash_messageWhoseLastPartIsEnglish_thatOfThePart(String error) {
        assertThat(hash("gpg", "gpg -s -u ada a.txt", error))
                .isEqualTo(hash("gpg", "gpg -s -u eve a.txt", "gpg: skipped \"eve\": No secret key"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"line 1", "ligne 1 ", "행 1번", "Zeile 1", "строка 1"})
    void hash_numberOfALineInAnyLanguage_noPartOfTheMessage(String line) {
        assertThat(hash("bash", "cd island", "bash: " + line + ": cd: island: No such file or directory"))
                .isEqualTo("cd-run-file-not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fout", "błąd", "fel", "chyba", "помилка", "hiba", "virhe"})
    void hash_wordForAnErrorInAnotherLanguage_beginsTheMessage(String word) {
        String error = "a.c: main:\na.c:2:10: %s: x [-Wimplicit-function-declaration]";

        assertThat(hash("gcc", "gcc -c a.c", String.format(error, word)))
                .isEqualTo(hash("gcc", "gcc -c a.c", String.format(error, "error")))
                .endsWith("-w-implicit-function-declaration");
    }

    @Test
    void hash_optionThatIsAPartOfAWord_theOperationStays() {
        String error = "fatal: repository 'https://h.example/x.git/' not found";

        assertThat(hash("git", "git -C repo push origin", error))
                .isEqualTo(hash("git", "git push origin", error))
                .isNotEqualTo(hash("git", "git -C repo fetch origin", error));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://helium.internal:443/graphql", "https://me@helium.internal/graphql"})
    void hash_privateHostWithTheUsualPortOrAUser_isAValue(String url) {
        String error = "HTTP 404 Not Found: {\"message\":\"404 Project Not Found\"}";

        assertThat(hash("http_request", String.format(REQUEST, url), error))
                .isEqualTo(hash("http_request", String.format(REQUEST, "https://copper.internal/graphql"), error));
    }

    @ParameterizedTest
    @CsvSource({"Undefined control sequence., undefined", "Missing $ inserted., missing"})
    void hash_lineWithAnExclamationMarkInFront_isTheDiagnosis(String line, String cause) {
        String log = "This is pdfTeX, Version 3.14\n(./a.tex\nNo file a.aux.\n! " + line + "\nl.3 a \\b\n"
                + "Output written on a.pdf (1 page, 12902 bytes).\nTranscript written on a.log.";

        assertThat(hash("pdflatex", "pdflatex -interaction=nonstopmode a.tex", log))
                .contains(cause);
        assertThat(hash("pdflatex", "pdflatex a.tex", log)).doesNotContain("file-not-found");
    }

    @ParameterizedTest
    @CsvSource({"HTTP 500 Not Found, 500", "HTTP 404 Not Found, 404"})
    void hash_statusWithTheReasonOfAnother_theStatus(String error, String status) {
        assertThat(hash("http_request", MODELS, error)).endsWith("-http-" + status);
    }

    @Test
    void hash_hostBelowAReservedDomain_itsFirstPart() {
        String error = "HTTP 404 Not Found: {\"message\":\"404 Project Not Found\"}";

        assertThat(hash("http_request", String.format(REQUEST, "https://gitlab.a.heron.invalid/x"), error))
                .isEqualTo(hash("http_request", String.format(REQUEST, "https://gitlab.b.example/x"), error));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB2 SQL Error: SQLCODE=-803, SQLSTATE=23505, SQLERRMC=2;SHELF, DRIVER=4.9",
                "SQL0803N  The foreign key of table \"SHELF\" is a duplicate value.  SQLSTATE=23505"
            })
    void hash_sqlStateOfAMessage_isTheCause(String error) {
        assertThat(hash("shelf_query", "{\"sql\": \"select 1\"}", error)).isEqualTo("shelf-query-run-sqlstate-23505");
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalid character 'x' looking for beginning of value", "unexpected end of JSON input"})
    void hash_messageOfTheParserOfGo_isInvalidJson(String error) {
        assertThat(hash("http_request", MODELS, "HTTP 400: {\"error\":\"" + error + "\"}"))
                .isEqualTo("http-request-maple-invalid-json");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:5709/a, host",
        "http://127.0.0.1:4001/a, host",
        "http://maple-1.internal:4001/a, host",
        "http://localhost:9200/a, port-9200",
        "http://maple-1.internal:9200/a, port-9200"
    })
    void hash_statusAlone_portOfNoServiceIsAValue(String url, String operation) {
        assertThat(hash("http_request", String.format(REQUEST, url), "HTTP 404 Not Found"))
                .isEqualTo("http-request-post-" + operation + "-http-404");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://copper5.corp.lan/graphql",
                "https://helium.internal/graphql",
                "https://api.mango.example.com/graphql",
                "https://walnut.example/graphql"
            })
    void hash_hostOfTheUser_valueWhereTheAnswerTellsMoreThanAStatus(String url) {
        String call = String.format(REQUEST, url);

        assertThat(hash(
                        "http_request",
                        call,
                        "{\"error\":{\"message\":\"No such session\",\"code\":\"session_lost\"}}"))
                .isEqualTo("http-request-host-session-lost");
        assertThat(hash("http_request", call, "HTTP 404 Not Found")).doesNotContain("-host-");
    }

    @Test
    void hash_statusAndItsReasonAboveABody_body() {
        String body = "{\"status\":403,\"err\":\"Invalid token\"}";

        assertThat(hash("http_request", MODELS, "Error: HTTP 403 Forbidden\n\n" + body))
                .isEqualTo(hash("http_request", MODELS, body));
    }

    @Test
    void hash_codeInParenthesesBehindTheMessage_code() {
        String message =
                "Unknown table expression identifier 'maple' in scope SELECT 1. (UNKNOWN_TABLE) (version 24.8)";

        assertThat(hash("http_request", MODELS, "Code: 60. DB::Exception: " + message))
                .endsWith("-unknown-table");
    }

    @ParameterizedTest
    @CsvSource({
        "pacman -Qi import, error: package 'import' was not found, pacman-package-not-found",
        "pacman -Qi import, error: import failed: package 'import' was not found, pacman-package-not-found",
        "scons sync, scons: *** Do not know how to make File target `sync'., scons-run-target-not-found"
    })
    void hash_missingThingThatLooksLikeAnOperation_noOperation(String call, String error, String hash) {
        assertThat(hash(call.substring(0, 6).strip(), call, error)).isEqualTo(hash);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error: maple not installed | erro: maple não instalado",
                "error: maple not installed | hata: maple kurulu değil",
                "pg_ctl: file \"a.pid\" does not exist | pg_ctl: файл \"a.pid\" не существует",
                "pg_ctl: file \"a.pid\" does not exist | pg_ctl: Datei »a.pid« existiert nicht",
                "tool: cannot open file a.mkv | tool: nie można otworzyć pliku b.mkv",
                "tool: 'ada' already exists | tool: 'bob' existe déjà"
            })
    void hash_wordsOfADictionaryInAnotherLanguage_thoseOfEnglish(String english, String other) {
        assertThat(hash("pg_ctl", "pg_ctl x", other)).isEqualTo(hash("pg_ctl", "pg_ctl x", english));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SqliteError: ", "ApolloError: ", "sqlite3.OperationalError: ", "Database error: "})
    void hash_classThatNamesNoCause_noPartOfTheMessage(String name) {
        String cause = name + "Cannot plan the query of the table: no index";

        assertThat(hash("mcp__db__query", "{\"sql\": \"select 1\"}", cause))
                .isEqualTo(hash(
                        "mcp__db__query", "{\"sql\": \"select 1\"}", "Cannot plan the query of the table: no index"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "table maples has 2 columns but 1 values were supplied | column-count",
                "SQL error or missing database (table maples has 2 columns but 1 values were supplied) | column-count",
                "Column count doesn't match value count at row 1 | column-count",
                "INSERT has more expressions than target columns | column-count",
                "NOT NULL constraint failed: maples.id | not-null-violation",
                "Cannot delete or update a parent row: a foreign key constraint fails | still-referenced",
                "violates foreign key constraint \"a\" on table \"b\" Key (id)=(1) is still referenced | still-referenced",
                "Cannot add or update a child row: a foreign key constraint fails | foreign-key-violation",
                "Unable to locate credentials. | no-credentials",
                "Could not load the default credentials. | no-credentials"
            })
    void find_messageOfSeveralProducts_oneCause(String message, String cause) {
        assertThat(CauseLexicon.find(TokenizedLine.of(message)).value().name()).isEqualTo(cause);
    }

    @ParameterizedTest
    @ValueSource(strings = {"code: 'model_not_found',", "code: 'model_not_found'", "Code: 'ModelNotFound'"})
    void hash_codeBelowTheFramesOfAnException_codeOfTheAnswer(String field) {
        String body = "HTTP 404 Not Found: {\"error\":{\"message\":\"No such model\",\"code\":\"model_not_found\"}}";
        String thrown = "NotFoundError: 404 The model does not exist or you have no access to it.\n"
                + "    at APIError.generate (/app/node_modules/maple/error.js:5:2)\n  status: 404,\n  " + field;

        assertThat(hash("http_request", MODELS, thrown)).isEqualTo(hash("http_request", MODELS, body));
    }

    @Test
    void hash_codeOfOneWordWithoutACause_lessThanTheMessage() {
        String message = "{\"message\":\"name is a required field\"}";
        String whole =
                "{\"name\":\"ValidationError\",\"type\":\"optionality\",\"message\":\"name is a required field\"}";

        assertThat(hash("http_request", MODELS, whole)).isEqualTo(hash("http_request", MODELS, message));
    }

    @ParameterizedTest
    @CsvSource({
        "restic -r ./maple backup ., stat maple/config: no such file or directory",
        "restic --repo=maple restore latest, stat maple/config: no such file or directory",
        "restic -r ~/maple snapshots, stat /home/ada/maple/config: no such file or directory"
    })
    void hash_missingFileOfAnOptionInFrontOfTheOperation_noOperation(String call, String error) {
        assertThat(hash("restic", call, "Fatal: repository does not exist: unable to open config file: " + error))
                .isEqualTo("restic-remote-not-found");
    }

    @Test
    void hash_shellThatIsNamedInTheMessage_theTool() {
        assertThat(hash("dash", "bash -c \"dash -c 'maple sync'\"", "dash: 1: maple: not found"))
                .isEqualTo(hash("dash", "dash -c 'maple sync'", "dash: 1: maple: not found"));
    }

    /** Failures whose words are alike, and that need different fixes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pub get | Because app depends on http ^9.0.0 which doesn't match any versions, version solving failed."
                        + " | Because app requires SDK version >=3.9.0, version solving failed.",
                "apt-get install x | E: Not all dependencies are satisfied | Nothing to do.",
                "alembic upgrade head | FAILED: Target database is not up to date. | Already up to date.",
                "frob sync | error: The index is not up to date. | Already up to date.",
            })
    void hash_alikeFailures_twoFamilies(String call, String first, String second) {
        String tool = call.substring(0, call.indexOf(' '));

        assertThat(hash(tool, call, first)).isNotEqualTo(hash(tool, call, second));
    }

    @Test
    void hash_messageInBraces_itsWords() {
        String status = "HTTP/1.1 500 Internal Server Error\n\n";

        assertThat(hash("curl", "curl https://app.internal/v1/a", status + "{disk is full}"))
                .endsWith("-disk-full");
    }

    @ParameterizedTest
    @CsvSource({"plan ==> expected => here, 0", "plan > 3, 1"})
    void of_arrow_noSign(String line, int signs) {
        TokenizedLine tokens = TokenizedLine.of(line);

        assertThat(IntStream.range(0, tokens.size).filter(i -> tokens.kind(i) == TokenizedLine.SIGN))
                .hasSize(signs);
    }

    private static String hash(String tool, String action, String error) {
        String stored = Excerpt.of(tool, action, error).text();
        String hash = new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(stored, 1))
                .value();

        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of(tool, action).error(error, 1))
                        .value())
                .isEqualTo(hash);
        return hash;
    }
}
