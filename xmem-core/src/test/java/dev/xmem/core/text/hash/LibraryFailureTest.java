package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of programs of the user: the library, the reason of a refusal and the words of a parser tell them apart. */
final class LibraryFailureTest {
    private static final String REFUSED = "\nCaused by: java.net.ConnectException: Connection refused";

    @ParameterizedTest
    @CsvSource({
        "io.lettuce.core.RedisConnectionException: Unable to connect to 127.0.0.1:22507, lettuce",
        "org.postgresql.util.PSQLException: Connection to 127.0.0.1:5432 refused., postgresql",
        "java.sql.SQLNonTransientConnectionException: Socket fail to connect to host, sql",
        "org.apache.kafka.common.KafkaException: Failed to construct kafka consumer, kafka",
        "io.netty.channel.AbstractChannel$AnnotatedConnectException: Connection refused: /127.0.0.1:1, netty",
        "org.springframework.web.client.ResourceAccessException: I/O error on GET request, run",
        "java.lang.IllegalStateException: cannot start, run"
    })
    void hash_refusedConnectionOfALibrary_library(String line, String operation) {
        assertThat(java(line + REFUSED)).isEqualTo("java-" + operation + "-connection-refused");
        assertThat(java("java.lang.RuntimeException: Failed to process x\nCaused by: " + line + REFUSED))
                .isEqualTo("java-" + operation + "-connection-refused");
    }

    /** If an answer tells no cause, the package of the exception in front of it tells which service it is of. */
    @Test
    void hash_answerWithoutACauseBehindAnException_library() {
        String answer = "NotFoundError: Error code: 404 - {'message': 'Not Found'}";
        assertThat(python("maple." + answer)).isEqualTo("python-maple-http-404");
        assertThat(python("birch." + answer)).isEqualTo("python-birch-http-404");
        assertThat(python(answer)).isEqualTo("python-run-http-404");
    }

    /** The class that a library uses for all errors says nothing, so that the message tells them apart. */
    @ParameterizedTest
    @CsvSource({
        "com.maple.MapleException: Session is down, maple-exception-session-down",
        "com.maple.MapleException: Document was closed, maple-exception-document-closed",
        "software.maple.core.SdkClientException: Unable to load region, sdk-client-exception-cannot-load-region",
        "com.maple.ShelfMovedException: Session is down, shelf-moved-exception"
    })
    void hash_classForAllErrorsOfALibrary_wordsOfTheMessage(String line, String pattern) {
        assertThat(java(line)).isEqualTo("java-run-" + pattern);
    }

    /** The frame where the library was called tells it from the program, whose package is not in the hash. */
    @ParameterizedTest
    @CsvSource({
        "org.opensearch.client.RestClient.send(RestClient.java:9), opensearch",
        "io.nats.client.impl.NatsConnection.connect(NatsConnection.java:18), nats",
        "okhttp3.internal.connection.RealConnection.connectSocket(RealConnection.kt:2), run",
        "com.acme.shop.Basket.load(Basket.java:4), run"
    })
    void hash_refusedConnectionThrownInALibrary_library(String frame, String library) {
        String program = "\n\tat com.acme.shop.Main.main(Main.java:7)";
        String thrown =
                "java.net.ConnectException: Connection refused\n\tat java.base/sun.nio.ch.Net.poll(Native Method)";

        assertThat(java(thrown + "\n\tat " + frame + program)).isEqualTo("java-" + library + "-connection-refused");
        assertThat(java("java.lang.IllegalStateException: no stock\n\tat " + frame + program + "\nCaused by: "
                        + thrown))
                .isEqualTo("java-" + library + "-connection-refused");
    }

    @Test
    void hash_refusedConnectionUnderATestRunner_runnerIsNoLibrary() {
        assertThat(java(
                        "java.net.ConnectException: Connection refused\n\tat com.acme.shop.BasketTest.loads(BasketTest.java:5)"
                                + "\n\tat org.junit.platform.Launcher.execute(Launcher.java:6)"))
                .isEqualTo("java-run-connection-refused");
    }

    @Test
    void hash_refusedConnectionOfAScript_libraryOfTheInnermostFrame() {
        String thrown = "Error: connect ECONNREFUSED 127.0.0.1:4444\n"
                + "    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)\n";
        assertThat(hash("node shop.js", thrown + "    at Pool.open (/srv/node_modules/mariadb/lib/pool.js:7:9)"))
                .isEqualTo("node-mariadb-connection-refused");
        assertThat(hash(
                        "node shop.js",
                        thrown + "    at open (/srv/shop.js:7:9)\n    at (/srv/node_modules/a/b.js:1:1)"))
                .isEqualTo("node-run-connection-refused");

        String python = "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 3, in <module>\n    load()\n"
                + "  File \"/venv/lib/python3.12/site-packages/pymysql/connections.py\", line 9, in connect\n    raise e\n"
                + "ConnectionRefusedError: [Errno 111] Connection refused";
        assertThat(hash("python3 shop.py", python)).isEqualTo("python-pymysql-connection-refused");
    }

    @Test
    void hash_missingTableOfTwoLibrariesOfPython_library() {
        assertThat(python("peewee.OperationalError: no such table: pines"))
                .isEqualTo("python-peewee-table-not-found")
                .isNotEqualTo(python("sqlite3.OperationalError: no such table: pines"));
    }

    @Test
    void hash_componentOfAFamilyOfPhp_component() {
        assertThat(hash(
                        "php sync.php",
                        "PHP Fatal error:  Uncaught Symfony\\Component\\Yaml\\Exception\\ParseException: "
                                + "Malformed inline YAML string at line 3."))
                .startsWith("php-yaml-");
    }

    @Test
    void hash_transportBelowAClient_noLibrary() {
        String line =
                "org.springframework.web.reactive.function.client.WebClientRequestException: Connection refused: /x\n"
                        + "Caused by: io.netty.channel.AbstractChannel$AnnotatedConnectException: Connection refused: /x";
        assertThat(java(line)).isEqualTo("java-run-connection-refused");
    }

    @Test
    void hash_connectExceptionWithoutMessage_connectionRefused() {
        String error = "java.net.ConnectException\n\tat java.net.http/x.send(HttpClientImpl.java:573)\n"
                + "Caused by: java.net.ConnectException\nCaused by: java.nio.channels.ClosedChannelException";
        assertThat(java(error)).isEqualTo("java-run-connection-refused");
    }

    /** A wrapper's class is in the hash of neither chain: the innermost cause names the missing table. */
    @Test
    void hash_innermostCauseNamesIt_wrapperLeftOut() {
        String inner =
                "\nCaused by: org.h2.jdbc.JdbcSQLSyntaxErrorException: Table \"PINES\" not found; SQL statement:";
        assertThat(java("org.springframework.jdbc.BadSqlGrammarException: bad SQL grammar [select 1]" + inner))
                .isEqualTo(java("org.jdbi.v3.core.statement.UnableToCreateStatementException: cannot" + inner))
                .isEqualTo("java-h2-table-not-found");
    }

    @Test
    void hash_programThatAJavaProgramCannotRun_missingProgram() {
        String error = "java.io.IOException: Cannot run program \"ffprobe\": error=2, No such file or directory\n"
                + "Caused by: java.io.IOException: error=2, No such file or directory";
        assertThat(java(error)).isEqualTo("ffprobe-command-not-found");
    }

    @Test
    void hash_twoErrorsOfOneParser_apart() {
        assertThat(java("while scanning for the next token\nfound character '\\t' that cannot start any token"))
                .isNotEqualTo(java("mapping values are not allowed here"));
        assertThat(java("java.lang.OutOfMemoryError: Java heap space"))
                .isNotEqualTo(java("java.lang.OutOfMemoryError: Metaspace"));
        assertThat(java("java.lang.NoSuchMethodError: 'void a.B.c()'"))
                .isNotEqualTo(java("java.lang.NoSuchMethodException: java.lang.String.c()"));
    }

    @Test
    void hash_refusals_toldApartByTheirReason() {
        String expired = python("acme.errors.ApiError: The access token expired");
        assertThat(expired).isEqualTo("python-run-auth-failed-access-token-expired");
        assertThat(python("RuntimeError: 401 {\"message\": \"The access token expired\"}"))
                .isEqualTo(expired);
        assertThat(python("acme.errors.ApiError: Missing authentication, or failed to authenticate"))
                .startsWith("python-run-auth-failed-")
                .isNotEqualTo(expired);
    }

    @Test
    void hash_statusBesideABodyWithoutAReason_serviceOfTheAddress() {
        String error = "{'status': 404, 'err': 'Not found'}\nTraceback (most recent call last):\n"
                + "requests.exceptions.HTTPError: 404 Client Error: Not Found for url: https://api.figma.com/v1/files/x";
        assertThat(python(error)).isEqualTo("python-figma-http-404");
    }

    /** A program's exception is one family, whatever started the program; that of a library of tests is the build's. */
    @Test
    void hash_exceptionOfAProgram_oneFamilyForEveryLauncher() {
        String thrown =
                "org.acme.store.LedgerException: Ledger 7 closed\n\tat org.acme.store.Ledger.open(Ledger.java:3)\n";
        String log =
                "{\"@timestamp\":\"2026-05-01T10:00:00Z\",\"message\":\"Job failed\",\"level\":\"ERROR\",\"stack_trace\":\""
                        + thrown.replace("\n", "\\n").replace("\t", "\\t") + "\"}";
        String expected = java(thrown);
        assertThat(hash("java -jar app.jar", log)).isEqualTo(expected);
        assertThat(hash(
                        "./gradlew run",
                        "> Task :run FAILED\nException in thread \"main\" " + thrown
                                + "\nFAILURE: Build failed with an exception.\n"))
                .isEqualTo(expected);
        assertThat(hash(
                        "mvn -q exec:java",
                        "[WARNING] \n" + thrown + "[ERROR] Failed to execute goal"
                                + " org.codehaus.mojo:exec-maven-plugin:3.5.0:java (default-cli) on project x: An exception occurred"
                                + " while executing the Java class. Ledger 7 closed -> [Help 1]"))
                .isEqualTo(expected);
        assertThat(
                        hash(
                                "mvn test",
                                "[ERROR] a.BTest.c -- Time elapsed: 0.1 s <<< FAILURE!\n"
                                        + "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>\n\tat a.B.c(B.java:1)\n"))
                .startsWith("mvn-");
    }

    /** What a wrapper or a library of tests throws, by the frames below it, is the build's. */
    @Test
    void hash_exceptionWithFrameOfTheBuild_ofTheBuild() {
        String main = "Exception in thread \"main\" java.net.UnknownHostException: mirror.acme\n"
                + "\tat java.base/sun.nio.ch.NioSocketImpl.connect(NioSocketImpl.java:567)\n";
        assertThat(hash("./gradlew build", main + "\tat org.gradle.wrapper.Install.forceFetch(SourceFile:2)\n"))
                .isEqualTo("gradle-build-dns-failure");
        assertThat(hash("./gradlew run", main + "\tat org.acme.Main.main(Main.java:2)\n"))
                .isEqualTo("java-run-dns-failure");
        String failed = "[ERROR] a.BTest.c -- Time elapsed: 5 s <<< ERROR!\njava.util.concurrent.TimeoutException: ";
        assertThat(hash("mvn test", failed + "late\n\tat org.junit.jupiter.engine.extension.T.create(T.java:29)\n"))
                .isEqualTo("mvn-build-timeout");
        assertThat(hash("mvn test", failed + "late\n\tat org.acme.Job.run(Job.java:29)\n"))
                .isEqualTo("java-run-timeout");
    }

    /** Only the position in front of a message of a parser is skipped, not sentences of the message. */
    @Test
    void exceptionClass_semicolons_positionSkipped() {
        String thrown = "org.xml.sax.SAXParseException; lineNumber: 1; columnNumber: 9; ";
        for (String message : new String[] {"Not closed; see the standard", "Name x: not closed; y", "", "; ;"}) {
            ExceptionClass exception = ExceptionClass.of(thrown + message);
            assertThat(exception).isNotNull();
            assertThat(exception.message()).isEqualTo(message.equals("; ;") ? ";" : message);
        }
    }

    /** Lines that are cut behind a bullet or a bracket, as found by random texts. */
    @ParameterizedTest
    @ValueSource(strings = {"[  ", "[  \n  x", "[ \u2003\nx", "Call log:\n  -  \n  - \u3000 \n"})
    void hash_bulletWithoutText_hash(String error) {
        assertThat(hash("mvn test", error)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "org.sqlite.SQLiteException: [SQLITE_ERROR] SQL error or missing database (no such column: x) | column-not-found",
                "java.io.IOException: Request not possible (no such bucket: x) | bucket-not-found",
                "org.xml.sax.SAXParseException; lineNumber: 1; columnNumber: 9; Content is not allowed in prolog. | content-not",
                "com.typesafe.config.ConfigException$Missing: No configuration setting found for key 'a' | config-not-found",
                "No payment exists with token t_1 | token-not-found",
                "A payment with this token exists | token-already-exists"
            })
    void hash_reasonInsideAMessage_itsCause(String message, String cause) {
        assertThat(java(message)).endsWith(cause);
    }

    @Test
    void callWords_form_itsValues() {
        assertThat(CallWords.of(CommandLine.parse("curl -d 'kind=ember%20grove&type=card' https://x.io")))
                .contains("ember", "grove", "card")
                .doesNotContain("kind", "type");
    }

    /** What an interpreter prints is of the interpreter, also if an agent has a tool of its own for it. */
    @Test
    void hash_codeTool_interpreter() {
        String error = "RuntimeError: 401 {\"message\": \"The access token expired\"}";
        for (String tool : new String[] {"run_python", "execute_python", "python_repl"}) {
            assertThat(new RuleBasedHasher()
                            .hash(HashInput.of(tool, "python3 sync.py").error(error, 1))
                            .value())
                    .isEqualTo(python(error));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Invalid token | auth-failed",
                "Not Authorized - Invalid Token | auth-failed",
                "Invalid token provided for user 4711 of api | auth-failed",
                "invalid token at line 12 | syntax-error",
                "Invalid token '}' in class declaration | syntax-error",
                "parse error: invalid token | syntax-error"
            })
    void hash_invalidToken_byWhatIsBesideIt(String message, String cause) {
        assertThat(CauseLexicon.find(TokenizedLine.of(message)).value().name()).isEqualTo(cause);
    }

    @Test
    void hash_quotaOfAService_noFullDisk() {
        assertThat(python("RuntimeError: 400 {\"message\": \"Quota exceeded\"}"))
                .contains("resource-limit");
        assertThat(python("OSError: [Errno 122] Disk quota exceeded")).contains("disk-full");
    }

    private static String java(String error) {
        return hash("java -jar app.jar", "Exception in thread \"main\" " + error);
    }

    private static String python(String error) {
        return hash("python3 sync.py", error);
    }

    private static String hash(String action, String error) {
        String stored =
                Excerpt.of("Bash", "{\"command\": \"" + action + "\"}", error).text();
        return new RuleBasedHasher()
                .hash(HashInput.of("Bash", "{\"command\": \"" + action + "\"}").error(stored, 1))
                .value();
    }
}
