package dev.xmem.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows, and what its acts change. */
class PageTest {
    private static final ToolError REJECTED =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");
    private static final String FAMILY = "git-push-no-upstream";
    private static final int WIRE_BYTES = 300_000;

    @TempDir
    Path folder;

    private XMemStore store;
    private PageServer server;
    private Client page;

    @BeforeEach
    void start() throws IOException {
        store = XMem.builder(folder).guardLimit(Duration.ofMinutes(1)).open();
        server = PageServer.start(store, folder, Client.TOKEN, new PageServer.Options(0, null, false));
        page = new Client(server).entered();
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private Failure failure(String session) {
        return store.recordFailure(Failure.of(ToolCall.shell("git push").session(session), REJECTED));
    }

    private Map<String, Object> view(String path) throws IOException {
        Client.Answer answer = page.get("/api/" + path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(WIRE_BYTES);
        return answer.json();
    }

    private Map<String, Object> act(String how, String request) throws IOException {
        Client.Answer answer = page.post("/api/" + how, request.replace('\'', '"'));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Map<String, Object> answer, String name) {
        return (List<Map<String, Object>>) answer.get(name);
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.entrySet().stream()
                    .map(field -> json(field.getKey()) + ':' + json(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return value instanceof List<?> items
                ? items.stream().map(PageTest::json).collect(Collectors.joining(",", "[", "]"))
                : '"' + value.toString() + '"';
    }

    private void undo(Map<String, Object> done) throws IOException {
        assertThat(done).containsKey("undo");
        Map<?, ?> request = (Map<?, ?>) done.get("undo");
        String text = json(request);
        Client.Answer answer = page.post("/api/do", text);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private Entry entry(String id) {
        return store.find(id).orElseThrow();
    }

    private long shown() {
        return store.search(Query.all().layout(Query.Layout.DATA)).total();
    }

    @Test
    void emptyStore_hasEveryView() throws IOException {
        for (String view : List.of("overview", "families", "needs", "search", "rules", "journal", "peers")) {
            assertThat(view(view)).isNotEmpty();
        }
        assertThat(page.get("/api/family?hash=none").status()).isEqualTo(404);
        assertThat(page.get("/api/entry?id=none").status()).isEqualTo(404);
        assertThat(page.get("/api/nothing").status()).isEqualTo(404);
    }

    @Test
    void overview_countsWhatWasToldAndWhatWorked() throws IOException {
        store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("git push -u origin HEAD"));
        store.guard().failed(ToolCall.shell("git push").session("s"), REJECTED);
        store.guard().succeeded(ToolCall.shell("git push -u origin HEAD").session("s"));
        store.flush();

        Map<String, Object> overview = view("overview");

        assertThat(overview).containsEntry("told", 1).containsEntry("worked", 1).containsEntry("seen_by_guards", true);
        assertThat(overview).containsEntry("grouped", true).containsEntry("families", 1);
        List<Map<String, Object>> weeks = rows(overview, "weeks");
        assertThat(weeks).hasSize(12);
        assertThat(weeks.get(11)).containsEntry("failures", 1).containsEntry("repeats", 1);
        assertThat(rows(overview, "costliest").get(0)).containsEntry("hash", FAMILY);
        assertThat(rows(overview, "days")).hasSize(28);
    }

    @Test
    void trend_withoutGuards_isThatOfTheRecords() {
        LocalDate today = LocalDate.parse("2026-11-23");
        Trend trend = Trend.of(
                store.stats().recalls(),
                Map.of(today, new Trend.Count(4, 1), today.minusDays(1), new Trend.Count(2, 2)),
                today,
                2);

        assertThat(trend.weeks()).extracting(Trend.Week::rate).containsExactly(100L, 25L);
    }

    @Test
    void family_showsWhatWasSaidAndWhyItIsOne() throws IOException {
        failure("a");
        store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("use -u"));
        store.guard().failed(ToolCall.shell("git push").session("s"), REJECTED);
        store.flush();

        Map<String, Object> family = view("family?hash=" + FAMILY);

        assertThat(family).containsEntry("total", 3);
        assertThat(rows(family, "recalls")).hasSize(1);
        assertThat(rows(family, "recalls").get(0).get("text").toString()).contains("use -u");
        Map<?, ?> explained = (Map<?, ?>) family.get("explained");
        assertThat(explained.get("tool")).isEqualTo("git");
        assertThat(explained.get("same")).isEqualTo(true);
    }

    @Test
    void needs_namesFamiliesWithoutALesson_andALessonEndsTheNeed() throws IOException {
        for (String session : List.of("a", "b", "c")) {
            failure(session);
        }
        assertThat(rows(view("needs"), "lessons")).hasSize(1);
        String lesson = "{'act':'lesson','family':'" + FAMILY + "','text':'push with -u'}";

        Map<String, Object> plan = act("preview", lesson);
        assertThat(plan.get("command").toString()).contains("xmem --store", " record", "push with -u");
        assertThat(shown()).isEqualTo(3);
        Map<String, Object> done = act("do", lesson);

        assertThat(rows(view("needs"), "lessons")).isEmpty();
        assertThat(store.recall(ToolCall.shell("git push"), REJECTED).text()).contains("push with -u");
        undo(done);
        assertThat(shown()).isEqualTo(3);
        assertThat(rows(view("needs"), "lessons")).hasSize(1);
    }

    @Test
    void advice_thatDoesNotHelp_isFoundAndCorrected() throws IOException {
        Failure wrong =
                store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("push twice"));
        store.reportOutcome(wrong.id(), Outcome.FAILED, "a");
        store.reportOutcome(wrong.id(), Outcome.FAILED, "b");

        assertThat(rows(view("families?sort=unhelpful"), "rows").get(0)).containsEntry("lesson_id", wrong.id());
        assertThat(rows(view("needs"), "contradicted")).hasSize(1);
        Map<String, Object> done =
                act("do", "{'act':'lesson','family':'" + FAMILY + "','instead':'" + wrong.id() + "','text':'use -u'}");

        assertThat(entry(wrong.id()).json()).contains("superseded_by");
        assertThat(rows(view("needs"), "contradicted")).isEmpty();
        undo(done);
        assertThat(entry(wrong.id()).json()).doesNotContain("superseded_by");
    }

    /** Of the advice that a compaction merged only the corrected one goes. */
    @Test
    void advice_ofAMergedLine_isCorrectedAlone() throws IOException {
        for (String advice : List.of("ask a colleague", "push twice")) {
            store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid(advice));
        }
        act("do", "{'act':'compact'}");
        Match merged = store.search(Query.all().ctxHash(FAMILY)).matches().get(0);
        assertThat(merged.entry().json()).contains("\"occurrences\":2", "\"pattern_avoid\":\"push twice\"");
        String lesson = "{'act':'lesson','family':'" + FAMILY + "','instead':'"
                + merged.entry().id() + "','text':'use -u'}";

        assertThat(act("preview", lesson).get("details").toString())
                .contains("what other entries of the merged line advise", "stands for 2 failures");
        act("do", lesson);

        assertThat(store.recall(ToolCall.shell("git push"), REJECTED).text())
                .contains("use -u", "ask a colleague")
                .doesNotContain("push twice");
    }

    @Test
    void minedPair_isShownUntilItIsJudged() throws IOException {
        Failure failed = failure("a");
        Success mined = store.recordSuccess(
                Success.of("git", "add -u origin HEAD").answers(failed.id()).tags("retry"));
        assertThat(rows(view("needs"), "pairs")).hasSize(1);

        act("do", "{'act':'pin','id':'" + mined.id() + "'}");

        assertThat(rows(view("needs"), "pairs")).isEmpty();
    }

    @Test
    void pinDismissAndSupersede_areTakenBack() throws IOException {
        String first = failure("a").id();
        String second = failure("b").id();
        for (String change : List.of("'pin'", "'dismiss','why':'old'", "'supersede','by':'" + second + "'")) {
            String before = entry(first).json();
            Map<String, Object> done = act("do", "{'act':" + change + ",'id':'" + first + "'}");
            assertThat(entry(first).json()).as(change).isNotEqualTo(before);
            undo(done);
            assertThat(entry(first).json()).as(change).isEqualTo(before);
        }
    }

    @Test
    void undo_bringsBackWhatWasBefore() throws IOException {
        String id = failure("a").id();
        act("do", "{'act':'dismiss','why':'it is gone','id':'" + id + "'}");
        Map<String, Object> pinned = act("do", "{'act':'pin','id':'" + id + "'}");
        assertThat(shown()).isEqualTo(1);

        undo(pinned);

        assertThat(entry(id).json()).contains("it is gone");
        assertThat(shown()).isZero();
    }

    @Test
    void retag_isTakenBackExactly() throws IOException {
        Note note = store.writeNote(Note.of("note", "text").tags("kept", "old"));

        Map<String, Object> done =
                act("do", "{'act':'retag','id':'" + note.id() + "','add':['kept','new'],'remove':['old','none']}");

        assertThat(entry(note.id()).tags()).containsExactlyInAnyOrder("kept", "new");
        undo(done);
        assertThat(entry(note.id()).tags()).containsExactlyInAnyOrder("kept", "old");
    }

    @Test
    void vote_countsOnce() throws IOException {
        String id = failure("a").id();
        String vote = "{'act':'vote','outcome':'worked','id':'" + id + "'}";

        assertThat(act("do", vote)).containsEntry("undoable", false);
        assertThat(page.post("/api/do", vote.replace('\'', '"')).status()).isEqualTo(409);
        assertThat(entry(id).json()).contains("\"worked\":1");
    }

    @Test
    void purge_needsTheIdTyped() throws IOException {
        String id = failure("a").id();
        String purge = "{'act':'purge','id':'" + id + "'";

        assertThat(act("preview", purge + "}")).containsEntry("final", true);
        assertThat(page.post("/api/do", (purge + "}").replace('\'', '"')).status())
                .isEqualTo(400);
        assertThat(shown()).isEqualTo(1);
        act("do", purge + ",'confirm':'" + id + "'}");
        assertThat(shown()).isZero();
    }

    @Test
    void lesson_aboutAPrivateFailure_isPrivate() throws IOException {
        store.recordFailure(Failure.of("git", "push", REJECTED.text()).tags("Private"));
        String lesson = "{'act':'lesson','family':'" + FAMILY + "','text':'push with -u'}";

        assertThat(act("preview", lesson).get("command").toString()).contains(Entry.PRIVATE);
        act("do", lesson);

        assertThat(store.search(Query.words("push with -u").layout(Query.Layout.DATA))
                        .matches()
                        .get(0)
                        .entry()
                        .tags())
                .contains(Entry.PRIVATE);
        assertThat(Report.html(store, "name", Instant.now())).doesNotContain(FAMILY, "upstream");
    }

    @Test
    void lesson_isToldAlsoIfTheExitCodeMakesTheFamily() throws IOException {
        ToolError killed = ToolError.exit(137, "building layers");
        ToolCall call = ToolCall.shell("docker build .");
        String family = store.recordFailure(Failure.of(call, killed)).ctxHash();
        assertThat(store.recordFailure(Failure.of(call, ToolError.text(killed.text())))
                        .ctxHash())
                .isNotEqualTo(family);

        act("do", "{'act':'lesson','family':'" + family + "','text':'use less memory'}");

        assertThat(store.recall(call, killed).text()).contains("use less memory");
    }

    @Test
    void lesson_isPreviewedAsItIsStored() throws IOException {
        failure("a");
        String lesson = "{'act':'lesson','family':'" + FAMILY
                + "','text':'npm config set proxy http://user:S3cretPw@proxy:8080'}";

        Map<String, Object> plan = act("preview", lesson);

        assertThat(json(plan)).doesNotContain("S3cretPw").contains("[redacted", "looks like a secret");
        act("do", lesson);
        String stored = store.search(Query.all().ctxHash(FAMILY)).text();
        assertThat(stored).contains("npm config set proxy http://user:[redacted:url-password]@proxy:8080");
        assertThat(json(plan)).contains("npm config set proxy http://user:[redacted:url-password]@proxy:8080");
    }

    @Test
    void reasonOfADismissal_isPreviewedAsItIsStored() throws IOException {
        String id = failure("a").id();
        String dismiss = "{'act':'dismiss','why':'see http://user:S3cretPw@proxy:8080','id':'" + id + "'}";

        assertThat(json(act("preview", dismiss))).doesNotContain("S3cretPw");
        assertThat(json(act("do", dismiss))).doesNotContain("S3cretPw");
    }

    @Test
    void lesson_isNoFurtherFailure() throws IOException {
        failure("a");
        Failure last = failure("b");
        store.recordSuccess(Success.of("git", "set the upstream once").answers(last.id()));
        String lesson = "{'act':'lesson','family':'" + FAMILY + "','text':'push with -u'}";

        assertThat(json(act("preview", lesson))).contains("takes the place of " + last.id(), "--superseded-by");
        Map<String, Object> done = act("do", lesson);

        assertThat(store.recall(ToolCall.shell("git push"), REJECTED).text())
                .contains("seen 2× in 2 sessions", "push with -u", "set the upstream once");
        assertThat(rows(view("families"), "rows").get(0))
                .containsEntry("count", 2)
                .containsEntry("fixes", 1);
        assertThat(view("overview")).containsEntry("failures", 2);
        undo(done);
        assertThat(store.recall(ToolCall.shell("git push"), REJECTED).text())
                .contains("seen 2× in 2 sessions", "set the upstream once")
                .doesNotContain("push with -u");
        assertThat(view("overview")).containsEntry("failures", 2);
    }

    @Test
    void lesson_keepsWhatItReplacesSays() throws IOException {
        store.recordFailure(Failure.of(ToolCall.shell("git push").session("a"), REJECTED)
                .tags("ci")
                .notes("on the runner")
                .triedAlso("git push --force")
                .blockLevel(Failure.BlockLevel.CRITICAL));

        act("do", "{'act':'lesson','family':'" + FAMILY + "','text':'push with -u'}");

        Failure taught = (Failure)
                store.search(Query.all().ctxHash(FAMILY)).matches().get(0).entry();
        assertThat(taught.tags()).containsExactlyInAnyOrder("ci", "page");
        assertThat(taught.notes()).isEqualTo("on the runner");
        assertThat(taught.triedAlso()).containsExactly("git push --force");
        assertThat(taught.blockLevel()).isEqualTo(Failure.BlockLevel.CRITICAL);
        assertThat(taught.sessionId()).isEqualTo("a");
    }

    @Test
    void lesson_thatWouldBeOfAnotherFamily_isRefused() throws IOException {
        // Another program named the family; what it stored of the failure does not lead there.
        String line = Json.object(out -> {
            out.writeStringField("ts", Instant.now().toString());
            out.writeStringField("type", "tool_failure");
            out.writeStringField("tool", "git");
            out.writeStringField("action", "push");
            out.writeStringField("error", "it failed");
            out.writeStringField("ctx_hash", "a-family-of-its-own");
        });
        Files.writeString(
                folder.resolve("data/failures.jsonl"),
                line + '\n',
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        String lesson = "{\"act\":\"lesson\",\"family\":\"a-family-of-its-own\",\"text\":\"use -u\"}";

        for (String door : List.of("preview", "do")) {
            Client.Answer answer = page.post("/api/" + door, lesson);
            assertThat(answer.status()).as(door).isEqualTo(400);
            assertThat(answer.json().get("error").toString()).contains("would not be shown", "xmem record");
        }
        assertThat(shown()).isEqualTo(1);
    }

    @Test
    void undoOfALesson_keepsWhatWasTold() throws IOException {
        failure("a");
        store.recordFailure(Failure.of("git", "push", REJECTED.text()).patternAvoid("push -u"));
        store.guard().failed(ToolCall.shell("git push").session("s"), REJECTED);
        store.flush();

        undo(act("do", "{'act':'lesson','family':'" + FAMILY + "','text':'other words'}"));

        assertThat(rows(view("family?hash=" + FAMILY), "recalls")).hasSize(1);
    }

    @Test
    void replacementOfAPinnedOrDismissedEntry_isTakenBack() throws IOException {
        String second = failure("b").id();
        for (String change : List.of("'pin'", "'dismiss','why':'old'")) {
            String first = failure("a").id();
            act("do", "{'act':" + change + ",'id':'" + first + "'}");
            String before = entry(first).json();
            Map<String, Object> done = act("do", "{'act':'supersede','by':'" + second + "','id':'" + first + "'}");
            undo(done);
            assertThat(entry(first).json()).as(change).isEqualTo(before);
        }
    }

    @Test
    void compaction_showsItsPlanAndIsRestored() throws IOException {
        failure("a");
        failure("b");
        Map<String, Object> plan = act("preview", "{'act':'compact'}");
        assertThat(plan.get("details").toString()).contains("failures.jsonl");
        Map<String, Object> done = act("do", "{'act':'compact'}");
        assertThat(shown()).isEqualTo(1);

        undo(done);

        assertThat(shown()).isEqualTo(2);
    }

    @Test
    void compaction_nothingToDo_offersNoUndo() throws IOException {
        failure("a");
        act("preview", "{'act':'compact'}");

        assertThat(act("do", "{'act':'compact'}"))
                .containsEntry("title", "Nothing to compact")
                .containsEntry("undoable", false)
                .doesNotContainKey("undo");
    }

    @Test
    void unknownActs_areRefusedWithAReason() throws IOException {
        for (String request : List.of(
                "{}",
                "{'act':'drop'}",
                "{'act':'pin'}",
                "{'act':'pin','id':'none'}",
                "{'act':'vote','id':7}",
                "{'act':'lesson','family':'none','text':'x'}",
                "{'act':'lesson','family':'none','text':''}",
                "{'act':'backup','name':'../x'}",
                "{'act':'steps','steps':[{'act':'purge','id':'x'}]}",
                "{'act':'steps','steps':[]}",
                "[]",
                "{")) {
            Client.Answer answer = page.post("/api/do", request.replace('\'', '"'));
            assertThat(answer.status()).as(request).isEqualTo(400);
            assertThat(answer.json().get("error").toString()).isNotBlank();
        }
        assertThat(page.get("/api/search?q=tol%3Dgit").status()).isEqualTo(400);
        assertThat(page.get("/api/families?offset=x").status()).isEqualTo(400);
        assertThat(page.get("/api/search?cursor=x").status()).isEqualTo(400);
        assertThat(page.get("/api/search?q=%zz").status()).isEqualTo(400);
    }

    @Test
    void search_speaksTheQueryLanguageAndPages() throws IOException {
        for (int i = 0; i < 60; i++) {
            store.writeNote(Note.of("note", "number " + i).tags(i % 2 == 0 ? "even" : "odd"));
        }
        Map<String, Object> first = view("search?q=type%3Dnote");
        assertThat(rows(first, "rows")).hasSize(50);
        assertThat(first).containsEntry("total", 60);
        Map<String, Object> next = view("search?q=type%3Dnote&cursor=" + first.get("cursor"));
        assertThat(rows(next, "rows")).hasSize(10);
        assertThat(view("search?q=tag%3Deven")).containsEntry("total", 30);
        Map<String, Object> few = view("search?q=type%3Dnote%20limit%3D10");
        assertThat(rows(few, "rows")).hasSize(10);
        assertThat(few.get("cursor")).isNull();
        String more = "search?q=type%3Dnote%20limit%3D55";
        Map<String, Object> last = view(more + "&loaded=50&cursor=" + view(more).get("cursor"));
        assertThat(rows(last, "rows")).hasSize(5);
        assertThat(last.get("cursor")).isNull();
    }

    @Test
    void rules_conflicts_andPeers_areShown() throws IOException {
        store.remember(Directive.parse("always use tabs"));

        assertThat(rows(view("rules"), "rows")).hasSize(1);
        assertThat(view("peers")).containsKey("peers");
    }

    /** A grouping of an empty store may end before the thread that asked for it goes on. */
    @Test
    void families_areGroupedAgainAfterEachChange_howeverFastTheLastGroupingWas() {
        for (int i = 0; i < 300; i++) {
            try (Families families = new Families(store, () -> {})) {
                Families.Grouping first = families.get("1", false);
                assertThat(families.get("2", false)).isNotNull().isNotSameAs(first);
            }
        }
    }

    @Test
    void version_changesWithTheStore() throws IOException {
        Object before = view("version").get("version");
        assertThat(view("version").get("version")).isEqualTo(before);
        failure("a");
        assertThat(view("version").get("version")).isNotEqualTo(before);
    }

    @Test
    void hostileText_isCutAndVisible() throws IOException {
        String bidi = "\u202Eevil\u2066\u200B";
        String huge = "<script>alert(1)</script>" + bidi + "x".repeat(900_000);
        Note note = store.writeNote(Note.of("note", "first").tags("<b>" + bidi));
        // Longer than a store accepts, as another program may write it.
        String line = Json.object(out -> {
            out.writeStringField("ts", Instant.now().toString());
            out.writeStringField("type", "note");
            out.writeStringField("content", huge);
        });
        Files.writeString(folder.resolve("data/notes.jsonl"), line + '\n', StandardOpenOption.APPEND);
        store.recordFailure(Failure.of("<img src=x onerror=alert(1)>", "a" + bidi, "boom " + huge.substring(0, 5_000))
                .patternAvoid(huge.substring(0, 100_000)));

        for (String view : List.of("overview", "families", "needs", "search", "journal", "entry?id=" + note.id())) {
            String body = page.get("/api/" + view).body();
            assertThat(body.getBytes(StandardCharsets.UTF_8)).as(view).hasSizeLessThan(WIRE_BYTES);
            assertThat(body).as(view).doesNotContain("\u202E", "\u2066", "\u200B");
        }
        String report = Report.html(store, "<b>", Instant.now());
        assertThat(report).doesNotContain("<script", "<img", "<b>").contains("&lt;script");
    }
}
