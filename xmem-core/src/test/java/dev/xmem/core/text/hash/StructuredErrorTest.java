package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in JSON, however they are printed. */
final class StructuredErrorTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();
    private static final String REQUEST = "{\"method\":\"GET\",\"url\":\"https://api.library.maple.com/v1/books/17\"}";
    private static final String BODY =
            "{\"error\":{\"code\":\"loan_limit_reached\",\"type\":\"invalid_request_error\",\"message\":\"Reader 17 has %s loans.\"}}";

    private static String hash(String action, String error) {
        return HASHER.hash(HashInput.of("http_request", action).error(error, 1)).value();
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:4021/a, host",
        "http://127.0.0.1:4022/b, host",
        "http://localhost:6333/c, port-6333",
        "http://orders.example:4021/d, host",
        "http://10.20.30.40:4021/d, host",
        "http://orders-7.svc.local:4021/d, host",
        "http://orders.maple.com:4021/d, host",
        "http://10.20.30.40:6333/c, port-6333",
        "http://vectors.svc.local:6333/c, port-6333"
    })
    void hash_portOfNoKnownService_isAValueOnAnyHost(String url, String service) {
        String error =
                "HTTP 400 Bad Request: {\"code\":\"ABC_ERR_VALIDATION\",\"message\":\"must have required property a\"}";
        String call = "{\"method\": \"POST\", \"url\": \"" + url + "\"}";

        assertThat(new RuleBasedHasher()
                        .hash(HashInput.of("http_request", call).error(error, 1))
                        .value())
                .isEqualTo("http-request-" + service + "-field-missing");
    }

    @Test
    void hash_codeThatOnlySaysBadData_leavesTheCauseToTheMessage() {
        String call = "{\"method\": \"GET\", \"url\": \"https://metrics.example/api/query\"}";
        String body = "HTTP 400: {\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"%s\"}";

        assertThat(HASHER.hash(HashInput.of("http_request", call).error(body.formatted("unknown function plum"), 1)))
                .isNotEqualTo(
                        HASHER.hash(HashInput.of("http_request", call).error(body.formatted("query timed out"), 1)));
    }

    @Test
    void hash_oneAnswerInManyShapes_isOneFamily() {
        String body = BODY.formatted("12");
        String escaped = BODY.formatted("9").replace("\"", "\\\"");
        String python = BODY.formatted("3").replace('"', '\'');
        List<String> shapes = List.of(
                "HTTP/1.1 409 Conflict\ndate: Mon, 13 Nov 2026 09:49:43 GMT\nx-reason: not found\n\n" + body,
                "HTTP 409 Conflict: " + body,
                "Request failed with status code 409 (Conflict): " + body,
                "{\"status\": 409, \"headers\": {\"x-code\": \"rate_limited\"}, \"body\": " + body + "}",
                "{\"status\": 409, \"body\": \"" + escaped + "\"}",
                "library.ConflictError: Error code: 409 - " + python,
                body,
                body.replace("{", "{\n  ").replace(",", ",\n  "));

        assertThat(shapes)
                .allSatisfy(
                        shape -> assertThat(hash(REQUEST, shape)).isEqualTo("http-request-maple-loan-limit-reached"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP 404 Not Found: the drawer is stuck",
                "Error: HTTP 404 - the drawer is stuck",
                "API call failed (404): 'the drawer is stuck\\n'",
                "{\"content\": [{\"type\": \"text\", \"text\": \"Error: HTTP 404 - the drawer is stuck\\n\"}]}",
                "\"Error calling API: the drawer is stuck\\n\"",
                "'the drawer is stuck'",
                "the drawer is stuck"
            })
    void hash_plainAnswerInManyShapes_isOneFamily(String shape) {
        assertThat(hash(REQUEST, shape)).isEqualTo("http-request-maple-drawer-stuck");
    }

    @Test
    void hash_method_onlyWhereTheCauseIsNotToldOrARefusal() {
        String delete = REQUEST.replace("GET", "DELETE");

        assertThat(hash(REQUEST, "HTTP 404 Not Found: the drawer is stuck"))
                .isEqualTo(hash(delete, "HTTP 404 Not Found: the drawer is stuck"));
        assertThat(hash(REQUEST, "HTTP 404 Not Found")).isNotEqualTo(hash(delete, "HTTP 404 Not Found"));
        assertThat(hash(REQUEST, "HTTP 401: {\"error\":\"invalid credentials\"}"))
                .isNotEqualTo(hash(delete, "HTTP 401: {\"error\":\"invalid credentials\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP 404: {\"message\":\"LIB20416: Shelf 7 is gone, or you may not read it.\","
                        + "\"typeKey\":\"ShelfUnauthorizedAccessException\"}",
                "library.LibraryError: LIB20416: Shelf 7 is gone, or you may not read it.",
                "Library HTTP 404 LIB20416 Shelf 7 is gone, or you may not read it."
            })
    void hash_idThatItsVendorGaveAMessage_isTheCause(String error) {
        assertThat(hash(REQUEST, error)).isEqualTo("http-request-maple-lib20416");
    }

    @Test
    void hash_codeInTheDetails_saysMoreThanAMessageWithoutACause() {
        String body = "{\"name\":\"UNPROCESSABLE_ENTITY\",\"message\":\"The loan cannot be given out so.\",\"details\":"
                + "[{\"issue\":\"READER_NOT_REGISTERED\",\"description\":\"The reader has to register.\"}]}";

        assertThat(hash(REQUEST, "HTTP 422: " + body)).isEqualTo("http-request-maple-reader-not-registered");
    }

    @Test
    void hash_problemTypeThatIsAPageOfDocumentation_leavesTheCauseToTheTitle() {
        String body =
                "{\"type\":\"https://library.maple.com/docs/error-glossary/\",\"title\":\"Loan Exists\",\"status\":400}";

        assertThat(hash(REQUEST, body)).isEqualTo("http-request-maple-loan-exists");
    }

    @Test
    void hash_nameWithColonsBehindTheMessage_isNoMessage() {
        assertThat(hash(REQUEST, "HTTP 404: {\"Message\":\"Shelf not found: urn:order:not-valid:shelf:order-7\"}"))
                .isEqualTo(hash(REQUEST, "HTTP 404: {\"Message\":\"Shelf not found: urn:x:7\"}"));
    }

    /** What clients of databases, SDKs and hosts put around one message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "db_query | {'sql':'x'} | Table 'shop.loan' doesn't exist"
                        + " | ERROR 1146 (42S02) at line 3: Table 'shop.loan' doesn't exist",
                "db_query | {'sql':'x'} | Table 'shop.loan' doesn't exist"
                        + " | pymysql.err.ProgrammingError: (1146, \"Table 'shop.loan' doesn't exist\")",
                "db_query | {'sql':'x'} | Invalid column name 'loan'."
                        + " | pyodbc.ProgrammingError: ('42S22', \"[42S22] [Vendor][Driver 18]Invalid column name 'loan'. (207)\")",
                "db_query | {'sql':'x'} | invalid type: string \"nine\", expected u32 at line 1 column 4"
                        + " | Error(\"invalid type: string \\\"nine\\\", expected u32\", line: 1, column: 4)",
                "add_loan | {'title':'x'} | reader must not be empty"
                        + " | {\"content\":[{\"type\":\"text\",\"text\":\"reader must not be empty\"}],\"isError\":true}",
            })
    void hash_messageInAWrapper_isTheFamilyOfTheMessage(String tool, String action, String plain, String wrapped) {
        HashInput call = HashInput.of(tool, action.replace('\'', '"'));

        assertThat(HASHER.hash(call.error(wrapped, 1)).value())
                .isEqualTo(HASHER.hash(call.error(plain, 1)).value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"code\":\"shelf_not_empty\",\"message\":\"Could not drop it.\"}}",
                "ApiResponseError: Could not drop it.\n    at request (/srv/client.js:19:16) {\n  code: 'shelf_not_empty',\n  status: 409\n}",
                "library.HttpError: (ShelfNotEmpty) Could not drop it.\nCode: ShelfNotEmpty\nMessage: Could not drop it.",
                "ShelfNotEmpty: Could not drop it.",
            })
    void hash_codeOfAnSdk_outranksTheMessage(String error) {
        assertThat(hash(REQUEST, error)).endsWith("-not-empty");
        assertThat(hash(REQUEST, error)).isEqualTo(hash(REQUEST, "{\"error\":{\"code\":\"shelf_not_empty\"}}"));
    }

    @Test
    void hash_requestWithoutJson_hasItsMethodAndService() {
        assertThat(hash("GET https://api.library.maple.com/v1/books/17", BODY.formatted("1")))
                .isEqualTo(hash(REQUEST, BODY.formatted("1")));
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.stripe.com/v1/charges, stripe",
        "https://user:word@shop.example.co.uk/x, example",
        "http://search-1.internal:9200/orders/_doc, port-9200",
        "http://127.0.0.1/x, host",
        "https://dynamodb.eu-west-1.amazonaws.com/, amazonaws-dynamodb",
        "https://www.googleapis.com/calendar/v3/x, googleapis-calendar",
    })
    void service_url_isTheRegisteredName(String url, String service) {
        assertThat(HostNames.service(url)).isEqualTo(service);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain text without a document",
                "a { \"brace\" of code }",
                "function() { 'use strict'; }",
                "{\"name\": \"no error at all\", \"count\": 3}"
            })
    void flatten_noError_isTheSameText(String text) {
        assertThat(AnswerText.flatten(text, false)).isEqualTo(text);
    }

    @Test
    void flatten_twice_isTheSame() {
        String once = AnswerText.flatten("Request failed: " + BODY.formatted("1"), false);

        assertThat(AnswerText.flatten(once, false)).isEqualTo(once);
        assertThat(once).contains("loan_limit_reached").contains("Reader 17 has 1 loans.");
    }

    @Test
    void hash_headers_areNoEvidence() {
        String plain = "HTTP/1.1 404 Not Found\nserver: nginx\n\n{\"message\":\"no shelf\",\"code\":\"shelf_missing\"}";
        String telling = plain.replace("nginx", "connection refused, rate limit exceeded");

        assertThat(hash(REQUEST, telling)).isEqualTo(hash(REQUEST, plain));
    }

    @Test
    void hash_otherService_isAnotherFamily() {
        String error = "{\"message\":\"Not Found\",\"status\":\"404\"}";

        assertThat(hash(REQUEST, error)).isNotEqualTo(hash(REQUEST.replace("maple.com", "museum.org"), error));
    }

    @Test
    void hash_values_doNotMatter() {
        String error = "{\"error\":{\"message\":\"No such shelf: '%s'\",\"code\":\"resource_missing\"}}";

        assertThat(hash(REQUEST, error.formatted("a1")))
                .isEqualTo(hash(REQUEST, error.formatted("zz-9")))
                .isNotEqualTo(hash(REQUEST, error.replace("shelf", "reader").formatted("a1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":",
                "{\"error\":\"",
                "{\"error\":{\"a\":[",
                "{'error': '\\",
                "{\\\"error\\\":",
                "{\"error\":{\"message\":\"{\\\"error\\\":{\\\"message\\\":\\\"x\\\"}}\"}}",
                "HTTP/1.1 500\n",
                "{\"\\u12"
            })
    void hash_manyBrokenDocuments_isDone(String unit) {
        assertThat(hash(REQUEST, unit.repeat(200_000 / unit.length())))
                .startsWith("http-request-")
                .contains("maple");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP 404 Not Found\n",
                "Request failed with status 404\n\n",
                "Error: 404 Not Found\n",
            })
    void hash_statusAboveABody_isTheFamilyOfTheBody(String head) {
        String body =
                "{\"request_id\":\"7-a\",\"message\":\"The shelf you were reading could not be found.\",\"id\":\"not_found\"}";

        assertThat(hash(REQUEST, head + body)).isEqualTo("http-request-maple-shelf-reading-cannot-found");
    }

    @Test
    void hash_detailsInAnyOrder_countIfNothingElseTells() {
        String details = "\"details\":{\"type\":\"Shelf\",\"id\":\"a7\"}";
        String rest =
                "\"sys\":{\"type\":\"Error\",\"id\":\"NotFound\"},\"message\":\"The resource could not be found.\"";

        assertThat(List.of('{' + details + ',' + rest + '}', '{' + rest + ',' + details + '}'))
                .allSatisfy(body -> assertThat(hash(REQUEST, body)).isEqualTo("http-request-maple-shelf"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "curl -sS https://api.library.maple.com/v1/books/17 | curl-maple-loan-limit-reached",
                "curl -d '{}' https://api.library.maple.com/v1/loans | curl-maple-loan-limit-reached",
                "curl -X DELETE https://api.library.maple.com/v1/books/9 | curl-maple-loan-limit-reached",
                "http PUT https://api.library.maple.com/v1/books/9 title=x | http-maple-loan-limit-reached",
            })
    void hash_answerToAClientOfTheCommandLine_isOfTheService(String command, String expected) {
        assertThat(HASHER.hash(HashInput.of("bash", command).error(BODY.formatted("3"), 22))
                        .value())
                .isEqualTo(expected);
        assertThat(HASHER.hash(HashInput.of("bash", command)
                                .error("curl: (6) Could not resolve host: api.library.maple.com", 6))
                        .value())
                .endsWith("-run-dns-failure");
    }

    /** What SDKs print in programs of the user: the library tells the service, and the message tells the cause. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python sync.py | harbor.errors.Unauthorized: 401 Unauthorized | python-harbor-http-401",
                "java -jar app.jar | com.harbor.net.ApiException: Request failed with status code 403 | java-harbor-http-403",
                "java -jar app.jar"
                        + " | software.amazon.awssdk.services.berth.model.BerthException: Forbidden (Service: Berth, Status Code: 403)"
                        + " | java-berth-http-403",
                "go run ./cmd/x | GET https://api.harbor.dev/v1/berths: 401 Unable to authenticate you"
                        + " | go-auth-failed-cannot-authenticate",
                "python sync.py | harbor.errors.ApiError: HTTP status code: 404 [NL]Message: Berth is under repair."
                        + " | python-run-berth-under-repair",
                "python sync.py | harbor.errors.ApiError: The request failed. Error code: 400."
                        + " Description: Bad Request: berth is under repair | python-run-bad-request-berth-under-repair",
                "node sync.js | HarborError: Berth is under repair [NL]    at x (/a/b.js:1:2) {[NL]"
                        + "  statusCode: 404,[NL]  code: 'NotFound'[NL]} | node-run-berth-under-repair",
                "python sync.py | requests.exceptions.ConnectionError: 503 Server Error | python-run-http-503",
                "python sync.py | src.client.ApiError: 403 Forbidden | python-run-http-403",
                "python sync.py | backend.errors.UpstreamError: 403 Forbidden | python-run-http-403",
                "python sync.py | core.exceptions.ApiError: 403 Forbidden | python-run-http-403",
                "python sync.py | utils.http.HttpError: 403 Forbidden | python-run-http-403",
                "python sync.py | tests.test_api.ApiError: 403 Forbidden | python-run-http-403",
                "python sync.py | app.services.MyError: 403 Forbidden | python-run-http-403",
                "python sync.py | app.services.payments.ApiError: 403 Forbidden | python-run-http-403",
                "java -jar app.jar | com.harbor.services.berth.ApiException: 403 Forbidden | java-harbor-http-403",
                "java -jar app.jar | de.harbor.net.ApiException: 403 Forbidden | java-harbor-http-403",
                "java -jar app.jar | uk.co.harbor.ApiException: 403 Forbidden | java-harbor-http-403",
            })
    void hash_errorOfAnSdk_hasItsServiceOrItsMessage(String command, String error, String expected) {
        assertThat(HASHER.hash(HashInput.of("bash", command).error(error.replace("[NL]", "\n"), 1))
                        .value())
                .isEqualTo(expected);
    }

    /** Threads that meet a pattern first at the same time may each compile it. */
    @Test
    void isOf_firstTextOnTwoThreads_isTheSamePattern() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int race = 0; race < 1_000; race++) {
                String expression = "[\\w.]{0,80}?(?<codes>[A-Z]\\w{2,60}): (?<status>[45]\\d\\d)\\b(?<message>.*)";
                LiteralPattern pattern = new LiteralPattern(": ", expression);
                AtomicInteger ready = new AtomicInteger();
                Callable<Boolean> asked = () -> {
                    ready.incrementAndGet();
                    while (ready.get() < 2) {
                        Thread.onSpinWait();
                    }
                    return pattern.isOf(Objects.requireNonNull(pattern.matcher("HarborError: 404 x", -1)));
                };
                for (Future<Boolean> isOf : threads.invokeAll(List.of(asked, asked))) {
                    assertThat(isOf.get()).isTrue();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void hash_addressOfAProblemType_isTheCause() {
        String body =
                "{\"type\":\"%s\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"Your app has no permission.\"}";

        assertThat(hash(REQUEST, body.formatted("https://api.library.maple.com/problems/loan1-permissions")))
                .isEqualTo("http-request-maple-loan1-permissions");
        assertThat(hash(REQUEST, body.formatted("https://tools.ietf.org/html/rfc7231#section-6.5.3")))
                .isEqualTo(hash(REQUEST, body.formatted("about:blank")));
    }

    @Property
    void status_anyPartOfAText_theFirstNumberByItself(
            @ForAll @Chars({'4', '5', '0', 'a', '_', '.', ':', '-', ' ', '(', 'é'}) @StringLength(max = 12) String text,
            @ForAll @IntRange(max = 3) int from) {
        int begin = Math.min(from, text.length());
        Matcher number = Pattern.compile("(?<![\\w.:-])[45]\\d\\d(?![\\w.:-]\\w)")
                .matcher(text)
                .region(begin, text.length());
        assertThat(StructuredError.status(text, begin, text.length())).isEqualTo(number.find() ? number.start() : -1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_ ", "__init__ ", "_id: ", "- "})
    void hash_codeBehindAnUnderscore_isRead(String before) {
        String error = "SHELF_MOVED {\"message\":\"Reader 17 has 12 loans.\"}";

        assertThat(hash(REQUEST, before + error)).isEqualTo("http-request-maple-shelf-moved");
        Excerpt excerpt = Excerpt.of("http_request", REQUEST, before + error + "\n");
        HashInput stored = HashInput.of("http_request", REQUEST).error(excerpt.text(), 1);
        assertThat(excerpt.hash(HASHER, stored).value()).isEqualTo("http-request-maple-shelf-moved");
    }

    @Test
    void hash_fieldWithATruthValue_isNoMessage() {
        String dump =
                "ApiError: Request failed with code 403\n  at x (/a/b.js:1:2) {\n  error: true,\n  type: 'response',\n"
                        + "  code: 403,\n  data: { detail: 'The loan is frozen.', title: 'Forbidden', status: 403 }\n}";

        assertThat(HASHER.hash(HashInput.of("bash", "node x.js").error(dump, 1)).value())
                .isEqualTo("node-run-loan-frozen");
    }

    /** A field whose key says that it has the code outranks one with a kind or a category, in any order. */
    @Test
    void hash_codeAndType_code() {
        String first = "{\"type\":\"LoanDeskFault\",\"code\":\"shelf_is_full\",\"message\":\"x\"}";
        String second = "{\"code\":\"shelf_is_full\",\"message\":\"x\",\"type\":\"LoanDeskFault\"}";
        assertThat(hash(REQUEST, first)).isEqualTo(hash(REQUEST, second)).endsWith("shelf-is-full");
    }
}
