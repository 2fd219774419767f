package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers in XML, in pages and inside of what clients and builds print around them. */
final class AnswerTextTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();
    private static final String REQUEST = "{\"method\":\"POST\",\"url\":\"https://api.library.maple.com/v1/loans\"}";

    private static String hash(String tool, String action, String error) {
        return HASHER.hash(HashInput.of(tool, action).error(error.replace("\\n", "\n"), 1))
                .value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "<e:Envelope xmlns:e=\"u\"><e:Body><e:Fault><faultcode>lib:LoanLimit</faultcode><faultstring>Too much"
                        + "</faultstring></e:Fault></e:Body></e:Envelope> | maple-loan-limit",
                "<Fault><Code><Value>e:Sender</Value><Subcode><Value>m:LoanLimit</Value></Subcode></Code>"
                        + "<Reason><Text xml:lang=\"en\">x y</Text></Reason></Fault> | maple-loan-limit",
                "HTTP/1.1 400 Bad Request\\n\\n<?xml version=\"1.0\"?><Response><Errors><Error><Code>LoanLimit</Code>"
                        + "<Message>Reader 17 has 9</Message></Error></Errors></Response> | maple-loan-limit",
                "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center>"
                        + "</body></html> | post-maple-http-502",
                "<HTML><HEAD><TITLE>ERROR</TITLE></HEAD><BODY><H1>403 ERROR</H1><H2>Loan desk closed</H2></BODY>"
                        + "</HTML> | maple-loan-desk-closed",
                "{\"code\":\"not found\",\"message\":\"shelf \\\"x\\\" not found\"} | maple-shelf-not-found"
            })
    void hash_markup_codeOrTitle(String error, String cause) {
        assertThat(hash("http_request", REQUEST, error)).isEqualTo("http-request-" + cause);
    }

    /** A client that prints the code beside the message reports the same failure as the answer itself. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "maple.errors.ApiError: [shelf_is_full] Nothing more fits in",
                "ApiError: Nothing more fits in (shelf_is_full)",
                "Error: 409 shelf_is_full - Nothing more fits in",
                "HTTP 409 Conflict: SHELF_IS_FULL: Nothing more fits in",
                "operation error Loans: AddBook, https response error StatusCode: 409, api error shelf_is_full: Nothing fits",
                "ERROR: (shelf_is_full) Nothing more fits in\\nCode: shelf_is_full\\nMessage: Nothing more fits in",
                "com.maple.LoanException: Nothing more fits in (Service: Loans, Status Code: 409) (Error Code: shelf_is_full)",
                "Maple.RequestFailedException: Nothing more fits in\\nStatus: 409 (Conflict)\\nErrorCode: shelf_is_full",
                "ApiError: Nothing more fits in\\n    at send (/srv/app/sdk.js:58:11) {\\n  status: 409,\\n  code: 'SHELF_IS_FULL'\\n}",
            })
    void hash_codeBesideTheMessage_asOfTheAnswer(String error) {
        String answer = "{\"status\":409,\"code\":\"shelf_is_full\",\"message\":\"Nothing more fits in\"}";
        assertThat(hash("http_request", REQUEST, error))
                .isEqualTo("http-request-maple-shelf-is-full")
                .isEqualTo(hash("http_request", REQUEST, answer));
    }

    /** What a client prints above the answer, or instead of a code, only repeats the status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "com.maple.ApiException: Message: Conflict\\nHTTP response code: 409\\nHTTP response body: {0}",
                "lib.ResponseError: 409, message='Conflict', url='https://api.library.maple.com/v1/loans'\\n{0}",
                "Client error: `POST https://api.library.maple.com/v1/loans` resulted in a `409 Conflict` response:\\n{0}",
                "Invoke-RestMethod : {0}\\nAt line:1 char:1\\n    + FullyQualifiedErrorId : WebCmdletWebResponseException,x",
                "LoanErrorResponse {\\n  headers: {\\n    map: {}\\n  },\\n  status: 409,\\n  message: 'Http failure response for"
                        + " https://api.library.maple.com/v1/loans: 409 Conflict',\\n  error: {\\n    message: 'Reader still owes us"
                        + " books'\\n  }\\n}",
                "lib.ApiError: Status code: 409, Message: Reader still owes us books",
                "Maple::Conflict: POST https://api.library.maple.com/v1/loans: 409 - Reader still owes us books // See:"
                        + " https://docs.maple.com/loans",
                "APIError\\n        Code: 409\\n        message: None\\n        error: MainError(data={}, code='Conflict',"
                        + " message='Reader still owes us books', target=None)"
            })
    void hash_statusAroundAMessage_asOfTheMessage(String error) {
        String answer = "{\"message\":\"Reader still owes us books\"}";
        assertThat(hash("http_request", REQUEST, error.replace("{0}", answer)))
                .isEqualTo("http-request-maple-reader-still-owes-us-books")
                .isEqualTo(hash("http_request", REQUEST, "HTTP 409: " + answer));
    }

    /** Neither a field of the request in front of a colon nor a value behind a message is a code. */
    @Test
    void hash_nameBesideTheMessage_noCode() {
        assertThat(hash("http_request", REQUEST, "HTTP 400: shelf_mark: letters only"))
                .doesNotContain("shelf-mark");
        assertThat(hash("http_request", REQUEST, "HTTP 404: no such shelf [upper_left]"))
                .doesNotContain("upper-left");
    }

    /** A client prints the code and the message of an answer in many forms. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "LOAN_LIMIT: Reader 17 has 9 | maple-loan-limit",
                "library error: LOAN_LIMIT: Reader 17 has 9 | maple-loan-limit",
                "maple.errors.NotFound: 404 Not Found (error code: 20114): Missing Access | maple-20114",
                "MapleAPIError[20114]: Missing Access | maple-20114",
                "LoanException(message: reader 17 has 9, code: loan_limit, details: Conflict, hint: null) | maple-loan-limit",
                "APIError: MapleError(code='LoanLimit', details=None, message='Reader 17 has 9') | maple-loan-limit",
                "com.maple.LoanException: The shelf does not exist (Service: Loans, Status Code: 400, Request ID: a1)"
                        + " | maple-shelf-not-exist",
                "An error occurred (ShelfNotFound) when calling the GetShelf operation: | maple-shelf-not-found",
                "Error: shelf x1 not found (status 400) | maple-shelf-not-found",
                "Maple::Errors::ApiError: 403 Forbidden | post-maple-http-403"
            })
    void hash_codeAndMessageAsAClientPrintsThem_ofTheCause(String error, String cause) {
        assertThat(hash("http_request", REQUEST, error)).isEqualTo("http-request-" + cause);
    }

    /** A numbered machine may run any service; another name of a private host is that of the service. */
    @ParameterizedTest
    @CsvSource({
        "http://knoll-4.corp.example/x, host-http-403",
        "https://api.larch-42.corp.example/x, host-http-403",
        "https://app.internal/x, host-http-403",
        "https://nest.acme.example.org/x, nest-http-403",
        "https://grafana.internal/x, grafana-http-403"
    })
    void hash_statusOfAPrivateHost_serviceOnlyIfTheHostNamesOne(String url, String cause) {
        assertThat(hash(
                        "http_request",
                        "{\"method\":\"GET\",\"url\":\"" + url + "\"}",
                        "HTTP 403 Forbidden: {\"message\":\"Forbidden\"}"))
                .isEqualTo("http-request-get-" + cause);
    }

    /** What a client or a service repeats of the request does not tell the cause. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"Invalid params.\","
                        + "\"data\":\"Shelf x already exists\"}} | maple-shelf-already-exists",
                "{\"errors\":[{\"message\":\"Variable \\\"i\\\" got invalid value { title: \\\"shelf of loans\\\" };"
                        + " Field \\\"qty\\\" of required type \\\"Int\\\" was not provided.\"}]}"
                        + " | maple-option-needs-value",
                "unexpected status code 404 (Not Found) from POST \"https://api.library.maple.com/v1/x\": {\"error\":"
                        + " \"Not Found\", \"error_description\": \"Shelf x not found\"} | maple-shelf-not-found",
                "maple.Error: 404 Not Found from GET https://api.library.maple.com/v1/x | post-maple-http-404"
            })
    void hash_requestRepeatedInTheAnswer_ofTheCause(String error, String cause) {
        assertThat(hash("http_request", REQUEST, error)).isEqualTo("http-request-" + cause);
    }

    /** A cause that has no operation for a tool of the user still needs to tell which service answered. */
    @Test
    void hash_causeOfAnyOperationThatAServiceTells_hasTheService() {
        String error = "{\"error\":{\"status\":400,\"message\":\"unknown command 'lend'\"}}";
        assertThat(hash("http_request", REQUEST, error)).isEqualTo("http-request-maple-unknown-command");
    }

    @Test
    void hash_answerWhoseDocumentEndsTooEarly_isOfItsMessage() {
        String error =
                "{\\n\"content\": [\\n\"text\": \"cup: 404 Not Found\"\\n]\\n}\\n\"type\": \"text\"\\n}\\n{\\n\"a\": 1";
        assertThat(hash("mcp__cups__get", "{\"path\": \"/9\"}", error)).isEqualTo("mcp-cups-get-run-http-404");
    }

    /** The body is on another line than the exception, which only has the status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "python3 a.py | %s\\nrequests.exceptions.HTTPError: 400 Client Error: Bad Request for url: http://x.io/a",
                "python3 a.py | urllib.error.HTTPError: HTTP Error 400: Bad Request\\n%s",
                "node a.js | %s\\nHTTPError: Response code 400 (Bad Request)\\n    at x (a.js:1:2) {\\n  code:"
                        + " 'ERR_NON_2XX_3XX_RESPONSE'\\n}",
                "dotnet run | %s\\nUnhandled exception. System.Net.Http.HttpRequestException: Response status code does"
                        + " not indicate success: 400 (Bad Request).",
                "cargo run | %s\\nError: HTTP status client error (400 Bad Request) for url (http://x.io/a)",
                "ruby a.rb | %s\\na.rb:1:in `on_complete': the server responded with status 400 for GET http://x.io/a"
                        + " (Faraday::BadRequestError)"
            })
    void hash_statusBesideBody_familyOfBody(String command, String error) {
        String body = "{\"message\":\"Reader card expected at desk\"}";
        String call = "{\"command\":\"" + command + "\"}";
        assertThat(hash("Bash", call, error.replace("%s", body)))
                .isEqualTo(hash("Bash", call, "Error: API returned 400: " + body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "go run . | rpc error: code = LoanClosed desc = loan 17 is closed",
                "cargo run | Error: status: LoanClosed, message: \"loan 17 is closed\", details: []",
                "java -jar a.jar | io.grpc.StatusRuntimeException: LOAN_CLOSED: loan 17 is closed",
                "node a.js | Error: 5 LOAN_CLOSED: loan 17 is closed"
            })
    void hash_statusOfRpc_code(String command, String error) {
        assertThat(hash("Bash", "{\"command\":\"" + command + "\"}", error)).endsWith("-loan-closed");
    }

    /** The heading of a build, a test or a start, and the cause below it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "./gradlew test | LoanTest > lends() FAILED\\n    org.acme.ShelfException: Shelf 3 locked\\n        at"
                        + " a.B.c(B.java:1)\\n> There were failing tests. See the report at: file:///x"
                        + " | java-run-shelf-exception",
                "mvn verify | [ERROR] Failed to execute goal a.b:c-plugin:1.2:check (default) on project x: The following"
                        + " files had format violations: | mvn-build-format-violations",
                "java -jar a.jar | APPLICATION FAILED TO START\\n\\nDescription:\\n\\nFailed to bind properties under"
                        + " 'server.port' to java.lang.Integer:\\n\\nAction:\\n\\nUpdate your application's configuration"
                        + " | java-run-property-invalid",
                "node a.js | TypeError: fetch failed\\n    at x (a.js:1:2) {\\n  [cause]: Error: redirect count exceeded"
                        + " | node-run-too-many-redirects"
            })
    void hash_heading_causeBelow(String command, String error, String expected) {
        assertThat(hash("Bash", "{\"command\":\"" + command + "\"}", error)).isEqualTo(expected);
    }

    @Test
    void hash_wrapperOfBuild_familyOfProgram() {
        String error = "Task 'lend' not found in root project 'library'.";
        assertThat(hash("./gradlew", "./gradlew lend", error)).isEqualTo(hash("gradle", "gradle lend", error));
    }

    @Test
    void hash_codesOfRefusals_tellThemApart() {
        String body = "{\"error\":{\"code\":\"%s\",\"message\":\"Not authorized\"}}";
        assertThat(hash("http_request", REQUEST, body.formatted("InvalidAuthenticationToken")))
                .isNotEqualTo(hash("http_request", REQUEST, body.formatted("AuthorizationRequestDenied")));
    }

    /** The library in the namespace, or in the frame that an excerpt keeps. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "ruby a.rb | a.rb:1:in `call': 401 Unauthorized (Shelfwork::Unauthorized) | ruby-shelfwork-",
                "node a.js | AuthenticationError: 401 Unauthorized\\n    at x"
                        + " (file:///srv/node_modules/@shelfwork/sdk/a.js:1:2) | node-shelfwork-"
            })
    void hash_refusal_serviceOfLibrary(String command, String error, String start) {
        String call = "{\"command\":\"" + command + "\"}";
        String text = error.replace("\\n", "\n");
        assertThat(hash("Bash", call, text)).startsWith(start);
        assertThat(hash("Bash", call, Excerpt.of("Bash", call, text).text())).startsWith(start);
    }

    private static String answer(String body) {
        String call = "{\"method\":\"POST\",\"url\":\"https://api.quarry.com/v1/orders\"}";
        return new RuleBasedHasher()
                .hash(HashInput.of("http_request", call).error("HTTP 400: " + body, 1))
                .value();
    }

    @Test
    void hash_fieldsInAnotherOrder_isOneFamily() {
        assertThat(answer("{\"error\":\"No quarry found\",\"message\":\"There is no stone for these inputs.\"}"))
                .isEqualTo(
                        answer("{\"message\":\"There is no stone for these inputs.\",\"error\":\"No quarry found\"}"));
    }

    @Test
    void hash_partOfTheAnswerInFrontOfTheMessage_doesNotDecide() {
        assertThat(answer("{\"items\":[{\"message\":\"stone is broken twice\"}],\"message\":\"Order was paid late\"}"))
                .isEqualTo(answer(
                        "{\"message\":\"Order was paid late\",\"items\":[{\"message\":\"stone is broken twice\"}]}"));
    }

    @Test
    void hash_twoCodesOfOneCause_areTwoFamilies() {
        assertThat(answer("{\"error\":{\"code\":\"LimitExceeded\",\"message\":\"Come back\"}}"))
                .isNotEqualTo(answer("{\"error\":{\"code\":\"QuotaExceeded\",\"message\":\"Come back\"}}"));
    }

    @Test
    void hash_codeThatSaysWhatItsMessageSays_isTheFamilyOfTheMessage() {
        assertThat(answer("{\"error\":{\"code\":\"quota_used_up\",\"message\":\"You exceeded your quota\"}}"))
                .isEqualTo(answer("{\"error\":{\"code\":\"quota_used_up\",\"message\":\"You exceeded your quota.\"}}"));
        assertThat(answer("{\"error\":{\"code\":\"quota_exceeded\",\"message\":\"You exceeded your quota\"}}"))
                .isEqualTo(answer("{\"message\":\"You exceeded your quota\"}"));
    }

    @Test
    void hash_nameOfAnErrorInAnAnswer_isItsCode() {
        assertThat(answer("{\"name\":\"Unknown_Stone\",\"message\":\"No such thing exists with the id x9\"}"))
                .isNotEqualTo(
                        answer("{\"name\":\"Unknown_Cart\",\"message\":\"No such thing exists with the id x9\"}"));
    }

    @Test
    void hash_refusalsForTwoReasons_areTwoFamilies() {
        assertThat(answer("{\"message\":\"Access denied due to missing key.\"}"))
                .isNotEqualTo(answer("{\"message\":\"Access denied due to invalid key.\"}"));
        assertThat(answer("{\"message\":\"Unauthorized\"}")).isEqualTo(answer("{\"error\":\"unauthorized\"}"));
    }

    @Test
    void hash_limitsOfTwoFields_areTwoFamilies() {
        assertThat(answer("{\"message\":\"The name is too long\"}"))
                .isNotEqualTo(answer("{\"message\":\"The property key cannot be longer than 127 characters.\"}"));
    }

    @Test
    void hash_exceptionWithABareStatusAboveTheBody_isTheAnswer() {
        String body = "{\"message\":\"There is no stone for these inputs.\"}";
        String thrown = "quarry.exceptions.ApiException: (404)\nReason: Not Found\n"
                + "HTTP response headers: HTTPHeaderDict({'Content-Type': 'application/json'})\n"
                + "HTTP response body: " + body + "\n";
        HashInput call = HashInput.of("python", "python scripts/sync.py");

        assertThat(new RuleBasedHasher().hash(call.error(thrown, 1)).value())
                .isEqualTo(new RuleBasedHasher()
                        .hash(call.error("Error code: 404 - " + body, 1))
                        .value());
    }
}
