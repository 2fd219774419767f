package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.json.schema.jackson2.DefaultJsonSchemaValidator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host that writes all its messages at once and then closes its end. */
@Timeout(60)
class McpProgramTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Object> FAILURE = Map.of(
            "tool", "git",
            "action", "push origin feature/x",
            "error", "fatal: The current branch feature/x has no upstream branch.",
            "pattern_avoid", "git push -u origin HEAD",
            "exit_code", 128,
            "tags", List.of("git"));

    private static final Map<String, Object> ASKED = Map.of(
            "tool", "git",
            "action", "push origin feature/x",
            "error", "fatal: The current branch feature/x has no upstream branch.");

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();
    private final List<String> messages = new ArrayList<>();

    McpProgramTest() {
        messages.add(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                        + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
        messages.add("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private McpProgramTest call(String tool, Map<String, Object> arguments) throws Exception {
        return request("tools/call", Map.of("name", tool, "arguments", arguments));
    }

    private McpProgramTest request(String method, Map<String, Object> params) throws Exception {
        ObjectNode message = JSON.createObjectNode();
        message.put("jsonrpc", "2.0").put("id", messages.size()).put("method", method);
        message.set("params", JSON.valueToTree(params));
        messages.add(JSON.writeValueAsString(message));
        return this;
    }

    /** The results of all requests except the first, in the order of the responses. */
    private List<JsonNode> results() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String in = String.join("\n", messages) + "\n";
        new StdioServer(McpEndpoint.of(store))
                .serve(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), out, 50_000);
        List<JsonNode> results = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n")) {
            JsonNode message = JSON.readTree(line);
            assertThat(message.get("jsonrpc").asText()).isEqualTo("2.0");
            results.add(message.get("result"));
        }
        return results.subList(1, results.size());
    }

    @Test
    void recall_recordedFailure_returnsAdvice() throws Exception {
        Map<String, Object> again = Map.of(
                "tool", "git",
                "action", "push origin other",
                "error", "fatal: The current branch other has no upstream branch.");

        List<JsonNode> results =
                call("record_failure", FAILURE).call("recall", again).results();

        JsonNode recorded = results.get(0).get("structuredContent");
        JsonNode recalled = results.get(1).get("structuredContent");
        assertThat(recorded.at("/entry/ctx_hash").asText()).isEqualTo("git-push-no-upstream");
        assertThat(recorded.at("/entry/session_id").asText()).startsWith("mcp-");
        assertThat(recalled.get("status").asText()).isEqualTo("found");
        assertThat(recalled.at("/matches/0/id")).isEqualTo(recorded.get("id"));
        assertThat(results.get(1).at("/content/0/text").asText()).contains("git push -u origin HEAD");
    }

    @Test
    void recordFailure_lessonOnWhatAHookRecorded_isNoFurtherFailure() throws Exception {
        ToolCall call = ToolCall.shell(FAILURE.get("tool") + " " + FAILURE.get("action"));
        ToolError error = ToolError.exit(128, FAILURE.get("error").toString());
        store.guard().failed(call.session("hooks"), error);
        store.flush();

        List<JsonNode> results = call("record_failure", FAILURE)
                .call("recall", ASKED)
                .call("record_failure", with(ASKED, "session", "other"))
                .call("record_failure", with(FAILURE, "session", "third"))
                .call("recall", ASKED)
                .results();

        JsonNode recorded = results.get(0);
        assertThat(recorded.at("/content/0/text").asText()).contains(" in place of ");
        assertThat(recorded.at("/structuredContent/entry/session_id").asText()).isEqualTo("hooks");
        assertThat(results.get(1).at("/content/0/text").asText()).contains("seen 1×", "git push -u origin HEAD");
        assertThat(results.get(3).at("/content/0/text").asText())
                .as("of another session than the one that is named")
                .doesNotContain(" in place of ");
        assertThat(results.get(4).at("/content/0/text").asText()).contains("seen 3× in 3 sessions");
    }

    /** What is private stays so: a lesson that may leave the store does not take its place. */
    @Test
    void recordFailure_lessonOnAPrivateFailure_replacesNothing() throws Exception {
        ToolCall call = ToolCall.shell(FAILURE.get("tool") + " " + FAILURE.get("action"));
        ToolError error = ToolError.exit(128, FAILURE.get("error").toString());
        store.recordFailure(Failure.of(call.session("hooks"), error).tags(Entry.PRIVATE));

        JsonNode recorded = call("record_failure", FAILURE).results().get(0);

        assertThat(recorded.at("/content/0/text").asText())
                .startsWith("Recorded ")
                .doesNotContain(" in place of ");
    }

    @Test
    void recall_messageOfTheUser_returnsAdviceOnTheSession() throws Exception {
        List<JsonNode> results = call("record_failure", FAILURE)
                .call("recall", Map.of("message", "why does the same error happen again?"))
                .call("recall", Map.of("message", "this error again!", "session", "other"))
                .results();

        assertThat(results.get(1).at("/structuredContent/status").asText()).isEqualTo("found");
        assertThat(results.get(1).at("/content/0/text").asText()).contains("git push -u origin HEAD");
        assertThat(results.get(2).at("/structuredContent/status").asText()).isEqualTo("nothing_relevant");
    }

    @Test
    void recall_messageThatReportsNoRepeatBesideAFailure_answersTheFailure() throws Exception {
        List<JsonNode> results = call("record_failure", FAILURE)
                .call("recall", with(ASKED, "message", "please push it"))
                .call("recall", Map.of("message", "please push it"))
                .results();

        assertThat(results.get(1).at("/content/0/text").asText()).contains("git push -u origin HEAD");
        assertThat(results.get(2).at("/structuredContent/status").asText()).isEqualTo("nothing_relevant");
    }

    @Test
    void remember_nothing_namesTheTextFirst() throws Exception {
        List<JsonNode> results = call("remember", Map.of())
                .call("remember", Map.of("subject", "a"))
                .results();

        assertThat(results.get(0).at("/content/0/text").asText()).contains("argument text is missing");
        assertThat(results.get(1).at("/content/0/text").asText()).contains("argument predicate is missing");
    }

    @Test
    void recall_inASession_countsRepeatsAndRecordsNothing() throws Exception {
        List<JsonNode> results = call("recall", with(ASKED, "session", "s"))
                .call("recall", with(ASKED, "session", "s"))
                .call("recall", ASKED)
                .results();

        assertThat(results)
                .extracting(result -> result.at("/structuredContent/repeats").asInt())
                .containsExactly(1, 2, 0);
        assertThat(results.get(1).at("/content/0/text").asText()).contains("second time in this session, unchanged");
        assertThat(store.stats().failures()).isZero();
    }

    @Test
    void recall_ofAFailureThatAHookReported_isNotCountedAgain() throws Exception {
        store.guard()
                .failed(
                        ToolCall.shell(FAILURE.get("tool") + " " + FAILURE.get("action"))
                                .session("s"),
                        ToolError.exit(128, String.valueOf(FAILURE.get("error"))));
        Map<String, Object> asked = with(ASKED, "session", "s");

        List<JsonNode> results = call("recall", asked).call("recall", asked).results();

        assertThat(results)
                .extracting(result -> result.at("/structuredContent/repeats").asInt())
                .containsExactly(1, 1);
        store.flush();
        assertThat(store.stats().failures()).isEqualTo(1);
    }

    @Test
    void recall_withoutALesson_saysOnceInASessionHowToNoteOne() throws Exception {
        Map<String, Object> unknown = Map.of("tool", "tar", "action", "xf a.tar", "error", "tar: a.tar: Cannot open");
        Map<String, Object> noted = Map.of("tool", "zip", "action", "a", "error", "zip: cannot open a");
        List<JsonNode> results = call("record_failure", noted)
                .call("recall", unknown)
                .call("recall", unknown)
                .call("recall", with(noted, "session", "other"))
                .call("record_failure", FAILURE)
                .call("recall", with(ASKED, "session", "third"))
                .results();

        assertThat(results.get(1).at("/content/0/text").asText()).contains("record_failure with pattern_avoid");
        assertThat(results.get(2).at("/content/0/text").asText()).doesNotContain("No lesson is known");
        assertThat(results.get(3).at("/content/0/text").asText()).contains("record_success {\"tool\":\"zip\"");
        assertThat(results.get(5).at("/content/0/text").asText()).doesNotContain("No lesson is known");
    }

    @Test
    void recall_hint_worksAsItIsWritten() throws Exception {
        Map<String, Object> noted = Map.of("tool", "zip", "action", "a", "error", "zip: cannot open a");
        String text = call("record_failure", noted)
                .call("recall", with(noted, "session", "other"))
                .results()
                .get(1)
                .at("/content/0/text")
                .asText();
        String arguments = text.substring(text.indexOf('{', text.indexOf("record_success")), text.lastIndexOf('}') + 1);
        call("record_success", JSON.readValue(arguments, new TypeReference<Map<String, Object>>() {}))
                .results();

        assertThat(store.stats().successes()).isOne();
    }

    /** docs/adr/0053-fixes-that-a-call-has.md: what worked for one file says little about another. */
    @Test
    void recall_retryFromValueToValue_isToldOnlyToACallThatHasTheValue() throws Exception {
        ToolGuard guard = store.guard();
        guard.failed(ToolCall.shell("python3 a.py").session("s"), ToolError.exit(2, cannotOpen("a.py")));
        guard.failed(ToolCall.shell("python3 src/a.py").session("s"), ToolError.exit(0, "3 rows written"));
        store.flush();

        List<JsonNode> results = call(
                        "recall", Map.of("tool", "python3", "action", "c.py", "error", cannotOpen("c.py")))
                .call("recall", Map.of("tool", "python3", "action", "a.py", "error", cannotOpen("a.py")))
                .results();

        assertThat(results.get(0).at("/content/0/text").asText()).doesNotContain("worked:");
        assertThat(results.get(1).at("/content/0/text").asText()).contains("worked:", "src/a.py");
    }

    private static String cannotOpen(String file) {
        return "python3: can't open file '" + file + "': [Errno 2] No such file or directory";
    }

    private static Map<String, Object> with(Map<String, Object> arguments, String name, Object value) {
        Map<String, Object> all = new HashMap<>(arguments);
        all.put(name, value);
        return all;
    }

    @Test
    void search_longEntries_staysWithinTheBudget() throws Exception {
        for (int i = 0; i < 40; i++) {
            store.recordFailure(Failure.of("tool" + i, "run", "error number " + i)
                    .notes("long ".repeat(1_000))
                    .tags("long"));
        }

        JsonNode result =
                call("search", Map.of("query", "tag=long limit=40")).results().get(0);

        assertThat(TokenEstimator.heuristic().estimate(result.toString())).isLessThanOrEqualTo(15_000);
        JsonNode matches = result.at("/structuredContent/matches");
        assertThat(matches).hasSizeGreaterThan(1);
        assertThat(matches.get(0).has("entry")).isTrue();
        assertThat(matches.get(matches.size() - 1).has("entry")).isFalse();
    }

    @Test
    void recall_unknownFailure_isNotAnError() throws Exception {
        JsonNode result = call(
                        "recall", Map.of("tool", "tar", "action", "xf a.tar", "error", "tar: a.tar: Cannot open"))
                .results()
                .get(0);

        assertThat(result.get("isError").asBoolean()).isFalse();
        assertThat(result.at("/structuredContent/status").asText()).isEqualTo("nothing_relevant");
    }

    @Test
    void everyTool_missingArgument_isErrorResultThatNamesIt() throws Exception {
        List<String> tools =
                List.of("record_failure", "record_success", "recall", "search", "remember", "report_outcome");
        for (String tool : tools) {
            call(tool, Map.of());
        }

        assertThat(results()).hasSameSizeAs(tools).allSatisfy(result -> {
            assertThat(result.get("isError").asBoolean()).isTrue();
            assertThat(result.at("/content/0/text").asText()).contains("is missing");
        });
    }

    @Test
    void everyTool_unknownArgument_isErrorResultThatNamesIt() throws Exception {
        JsonNode tools = request("tools/list", Map.of()).results().get(0).get("tools");
        messages.subList(2, messages.size()).clear();
        for (JsonNode tool : tools) {
            assertThat(tool.at("/inputSchema/additionalProperties").asBoolean(true))
                    .isFalse();
            call(tool.get("name").asText(), Map.of("acton", "push"));
        }

        assertThat(results()).hasSize(7).allSatisfy(result -> {
            assertThat(result.get("isError").asBoolean()).isTrue();
            assertThat(result.at("/content/0/text").asText()).contains("The argument acton is unknown");
            assertThat(result.has("structuredContent")).isFalse();
        });
    }

    @Test
    void anyTool_argumentOutsideItsSchema_isErrorResultThatNamesIt() throws Exception {
        call("record_failure", with(FAILURE, "block_level", "fatal"));
        call("record_failure", with(FAILURE, "exit_code", 1.5));
        call("record_failure", with(FAILURE, "tags", List.of("a", 1)));
        call("record_success", Map.of("tool", "git", "pattern_name", "p", "confidence", 2));
        call("report_outcome", Map.of("id", "x", "outcome", "perhaps"));
        call("remember", Map.of("triple", Map.of("subject", "a", "verb", "is", "object", "b")));
        call("remember", Map.of("subject", "a", "predicate", "is", "object", "b", "kind", "law"));
        call("search", Map.of("query", "git", "limit", 0));

        assertThat(results())
                .extracting(result -> result.at("/content/0/text").asText())
                .satisfiesExactly(
                        text -> assertThat(text).contains("block_level", "warning, critical"),
                        text -> assertThat(text).contains("exit_code", "whole number"),
                        text -> assertThat(text).contains("tags[1]", "a string"),
                        text -> assertThat(text).contains("confidence", "0.0 to 1.0"),
                        text -> assertThat(text).contains("outcome", "worked, failed, irrelevant"),
                        text -> assertThat(text).contains("triple.verb"),
                        text -> assertThat(text).contains("kind", "rule, preference, constraint"),
                        text -> assertThat(text).contains("limit", "1 to 70"));
    }

    /** The results of every tool against the schemas that it declares, by the validator of the SDK. */
    @Test
    void everyTool_structuredContent_isOfItsSchemaAndHasNoNulls() throws Exception {
        JsonNode tools = request("tools/list", Map.of()).results().get(0).get("tools");
        messages.subList(2, messages.size()).clear();
        String id = store.recordSuccess(dev.xmem.Success.of("git", "push").keySteps("git push -u"))
                .id();
        List<Map.Entry<String, Map<String, Object>>> calls = List.of(
                Map.entry("record_failure", FAILURE),
                Map.entry("record_success", Map.of("tool", "git", "pattern_name", "p", "confidence", 0.5)),
                Map.entry("recall", Map.of("tool", "git", "action", "push", "error", FAILURE.get("error"))),
                Map.entry("recall", Map.of("tool", "tar", "action", "x", "exit_code", 2)),
                Map.entry("recall", Map.of("message", "this error again!")),
                Map.entry("search", Map.of("query", "git", "limit", 1)),
                Map.entry("remember", Map.of("text", "always use pnpm. Never use npm.")),
                Map.entry("report_outcome", Map.of("id", id, "outcome", "worked")),
                Map.entry("stats", Map.of()));
        for (Map.Entry<String, Map<String, Object>> call : calls) {
            call(call.getKey(), call.getValue());
        }

        List<JsonNode> results = results();
        DefaultJsonSchemaValidator validator = new DefaultJsonSchemaValidator();
        for (int i = 0; i < calls.size(); i++) {
            String name = calls.get(i).getKey();
            JsonNode content = results.get(i).get("structuredContent");
            assertThat(content).as(name).isNotNull();
            assertThat(content.toString()).doesNotContain("null");
            for (JsonNode tool : tools) {
                if (tool.get("name").asText().equals(name)) {
                    JsonNode schema = tool.get("outputSchema");
                    assertThat(tool.has("title")).isTrue();
                    assertThat(tool.at("/annotations/destructiveHint").asBoolean(true))
                            .isFalse();
                    Map<String, Object> map = JSON.convertValue(schema, new TypeReference<>() {});
                    assertThat(validator.validate(map, content.toString()))
                            .as(name)
                            .extracting(JsonSchemaValidator.ValidationResponse::errorMessage)
                            .isNull();
                }
            }
        }
    }

    @Test
    void recall_exitCodeWithoutError_isAnswered() throws Exception {
        store.recordFailure(Failure.of("make", "all", "make: *** [all] Error 2").patternAvoid("make clean first"));

        List<JsonNode> results = call("recall", Map.of("tool", "make", "action", "all", "exit_code", 2))
                .call("recall", Map.of("tool", "make", "action", "all"))
                .results();

        assertThat(results.get(0).get("isError").asBoolean()).isFalse();
        assertThat(results.get(1).at("/content/0/text").asText()).contains("error is missing");
    }

    @Test
    void resources_familiesAndEntries_areShown() throws Exception {
        Failure known =
                store.recordFailure(Failure.of("git", "push", "fatal: The current branch x has no upstream branch.")
                        .patternAvoid("git push -u"));
        store.recordFailure(Failure.of("npm", "install a", "npm ERR! code E404"));
        store.recordFailure(Failure.of("npm", "install b", "npm ERR! code E404"));

        List<JsonNode> results = request("resources/read", Map.of("uri", "xmem://families"))
                .request("resources/read", Map.of("uri", "xmem://needs-lesson"))
                .request("resources/read", Map.of("uri", "xmem://entry/" + known.id()))
                .request("resources/list", Map.of())
                .request("resources/templates/list", Map.of())
                .results();

        JsonNode families = JSON.readTree(results.get(0).at("/contents/0/text").asText());
        JsonNode needy = JSON.readTree(results.get(1).at("/contents/0/text").asText());
        JsonNode entry = JSON.readTree(results.get(2).at("/contents/0/text").asText());
        assertThat(families.get("families")).hasSize(2);
        assertThat(families.at("/families/0/failures").asInt()).isEqualTo(2);
        assertThat(families.at("/families/1/pattern_avoid").asText()).isEqualTo("git push -u");
        assertThat(needy.get("families")).hasSize(1);
        assertThat(needy.at("/families/0/tool").asText()).isEqualTo("npm");
        assertThat(entry.get("id").asText()).isEqualTo(known.id());
        assertThat(results.get(3).get("resources")).hasSize(2);
        assertThat(results.get(4).at("/resourceTemplates/0/uriTemplate").asText())
                .isEqualTo("xmem://entry/{id}");
    }

    @Test
    void prompts_loadAndRecall_returnText() throws Exception {
        store.recordFailure(Failure.of("git", "push", "fatal: The current branch x has no upstream branch.")
                .patternAvoid("git push -u"));
        Map<String, Object> again =
                Map.of("tool", "git", "action", "push", "error", "fatal: The current branch y has no upstream branch.");

        List<JsonNode> results = request(
                        "prompts/get", Map.of("name", "load", "arguments", Map.of("query", "tool=git")))
                .request("prompts/get", Map.of("name", "recall", "arguments", again))
                .results();

        assertThat(results.get(0).at("/messages/0/content/text").asText()).contains("Loaded 1 failure", "git push -u");
        assertThat(results.get(1).at("/messages/0/content/text").asText()).contains("git push -u");
    }

    @Test
    void anyTool_argumentOfWrongType_isErrorResult() throws Exception {
        call("recall", Map.of("tool", 1, "action", List.of(), "error", "x"));
        call("search", Map.of("query", "git", "limit", "many"));
        call("search", Map.of("query", "git", "limit", 1_000));
        call("report_outcome", Map.of("id", "nope", "outcome", "perhaps"));

        assertThat(results())
                .hasSize(4)
                .allMatch(result -> result.get("isError").asBoolean());
    }

    @Test
    void reportOutcome_twiceInASession_countsOnce() throws Exception {
        String id = store.recordSuccess(dev.xmem.Success.of("git", "push with upstream"))
                .id();
        Map<String, Object> vote = Map.of("id", id, "outcome", "worked");

        List<JsonNode> results =
                call("report_outcome", vote).call("report_outcome", vote).results();

        assertThat(results)
                .extracting(result -> result.at("/structuredContent/counted").asBoolean())
                .containsExactly(true, false);
    }

    @Test
    void remember_sentenceOrTriple_isConfirmed() throws Exception {
        call("remember", Map.of("text", "never run build repeatedly"));
        call("remember", Map.of("subject", "tests", "predicate", "run with", "object", "mvn verify"));
        call(
                "remember",
                Map.of("triple", Map.of("subject", "a", "predicate", "is", "object", "b"), "kind", "constraint"));

        assertThat(results())
                .hasSize(3)
                .noneMatch(result -> result.get("isError").asBoolean());
        assertThat(store.stats().directives()).isEqualTo(3);
    }

    @Test
    void remember_twoSentences_areTwoDirectives() throws Exception {
        JsonNode result = call("remember", Map.of("text", "always use pnpm. Never use npm."))
                .results()
                .get(0);

        assertThat(result.at("/content/0/text").asText())
                .isEqualTo("Remembered (local): Always use pnpm\nRemembered (local): Never use npm");
        assertThat(result.at("/structuredContent/further")).hasSize(1);
        assertThat(store.stats().directives()).isEqualTo(2);
    }

    @Test
    void remember_ruleAgainstConstraint_saysThatItLost() throws Exception {
        store.remember(dev.xmem.Directive.parse("must never push to main"));

        JsonNode result = call("remember", Map.of("text", "always push to main"))
                .results()
                .get(0);

        assertThat(result.at("/content/0/text").asText()).contains("does not hold", "Must never push to main");
        assertThat(result.at("/structuredContent/conflict").asText())
                .startsWith("It does not hold: \"Must never push to main\"");
    }

    @Test
    void search_cursor_returnsNextPage() throws Exception {
        for (int i = 0; i < 3; i++) {
            store.recordFailure(dev.xmem.Failure.of("git", "push", "rejected, try " + i));
        }
        JsonNode first = call("search", Map.of("query", "tool=git", "limit", 2))
                .results()
                .get(0);
        messages.subList(2, messages.size()).clear();
        String cursor = first.at("/structuredContent/cursor").asText();
        JsonNode second = call("search", Map.of("query", "tool=git", "limit", 2, "cursor", cursor))
                .results()
                .get(0);

        assertThat(first.at("/structuredContent/total").asInt()).isEqualTo(3);
        assertThat(first.at("/structuredContent/total_is_exact").asBoolean()).isTrue();
        assertThat(first.at("/structuredContent/matches")).hasSize(2);
        assertThat(second.at("/structuredContent/matches")).hasSize(1);
        assertThat(first.at("/content/0/text").asText())
                .endsWith("search again with the cursor for the next page.")
                .doesNotContain("/xmem:");
        messages.subList(2, messages.size()).clear();
        JsonNode none = call("search", Map.of("query", "tool=npm")).results().get(0);
        assertThat(none.at("/content/0/text").asText())
                .contains("the tool stats shows")
                .doesNotContain("/xmem:");
    }

    @Test
    void line_tooLong_isAnsweredWithItsIdWhereItIsCertain() {
        assertThat(JsonRpc.idOf("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x", "…\"}}"))
                .isEqualTo(7L);
        assertThat(JsonRpc.idOf("{\"method\":\"tools/call\",\"params\":{", "\"}},\"jsonrpc\":\"2.0\",\"id\":\"a-1\"}"))
                .isEqualTo("a-1");
        assertThat(JsonRpc.idOf("{\"params\":{\"arguments\":{", "\"x\":\"y\",\"id\":3}}}"))
                .isNull();
        assertThat(JsonRpc.idOf("{\"params\":{\"id\":1,", "said \\\"x\\\",\\\"id\\\":3}\"}"))
                .isNull();
    }

    @Test
    void list_tools_hasSevenToolsWithSchemas() throws Exception {
        JsonNode tools = request("tools/list", Map.of()).results().get(0).get("tools");

        assertThat(tools)
                .hasSize(7)
                .allSatisfy(tool ->
                        assertThat(tool.at("/inputSchema/type").asText()).isEqualTo("object"));
    }

    @Test
    void serve_invalidMessages_areSkipped() throws Exception {
        messages.add(2, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}");

        assertThat(call("stats", Map.of()).results()).hasSize(1);
    }

    @Test
    void arguments_thatAreWrong_areNamed() {
        assertThat(McpProgram.wrong(new String[] {})).isEqualTo("--store DIR is missing");
        assertThat(McpProgram.wrong(new String[] {"--http", "1"})).isEqualTo("--store DIR is missing");
        assertThat(McpProgram.wrong(new String[] {"--store"})).isEqualTo("--store needs a value");
        assertThat(McpProgram.wrong(new String[] {"--store", " "})).isEqualTo("--store needs a value");
        assertThat(McpProgram.wrong(new String[] {"store"})).isEqualTo("unknown argument store");
        for (String port : List.of("abc", "-1", "65536")) {
            assertThat(McpProgram.wrong(new String[] {"--store", "s", "--http", port}))
                    .isEqualTo("--http takes a port from 0 to 65535, not " + port);
        }
        assertThat(McpProgram.wrong(new String[] {"--http", "0", "--store", "s"}))
                .isEmpty();
    }

    @Test
    void portInUse_isNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> McpHttpServer.start(store, taken.getLocalPort(), "a-token-of-sixteen"))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("MCP over HTTP cannot have port " + taken.getLocalPort() + " of 127.0.0.1");
        }
    }
}
