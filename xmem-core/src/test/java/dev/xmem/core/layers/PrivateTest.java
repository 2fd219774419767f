package dev.xmem.core.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Layer;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.SyncReport;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.ExportFiles;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is private leaves its store by no door. */
class PrivateTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ToolCall DEPLOY = ToolCall.shell("kubectl apply -f site.yaml");
    private static final ToolError REFUSED =
            ToolError.exit(1, "error: You must be logged in to the server (Unauthorized)");

    /** In the text of everything that is private. */
    private static final String WORD = "zebrafish";

    @TempDir
    Path folder;

    private Path dir(String name) {
        return folder.resolve(name);
    }

    /** Entries of all kinds, private and not, with votes and amendments; returns the ids of the private ones. */
    private static List<String> fill(XMemStore store) {
        Failure failure = store.recordFailure(Failure.of(DEPLOY, REFUSED)
                .patternAvoid("Log in to " + WORD + " first")
                .tags("private"));
        Failure open = store.recordFailure(Failure.of(DEPLOY, REFUSED).patternAvoid("Log in first"));
        Success success = store.recordSuccess(Success.of("kubectl", "Log in to " + WORD)
                .keySteps("kubelogin " + WORD)
                .answers(failure.id())
                .tags("Private", "login"));
        store.writeNote(Note.of("note", WORD + " is the name of the cluster").tags("private"));
        store.writeNote(Note.of("note", "an open note"));
        store.remember(Directive.parse("never deploy to " + WORD).tags("private"));
        store.remember(Directive.parse("never deploy to " + WORD));
        store.recordAll(List.of(JsonDraft.of("{\"type\":\"tool_failure\",\"tool\":\"x\",\"action\":\"" + WORD
                + "\",\"error\":\"e\",\"tags\":[\"\\u0070rivate\"]}")));
        store.reportOutcome(failure.id(), Outcome.WORKED, WORD);
        store.amend(failure.id(), Amendment.dismiss(WORD));
        store.amend(failure.id(), Amendment.pin());
        store.reportOutcome(open.id(), Outcome.WORKED, "open-session");
        return List.of(failure.id(), success.id());
    }

    private static String bytesIn(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1)).append('\n');
            }
        }
        return all.toString();
    }

    @Test
    void sync_doesNotPublishIt() throws IOException {
        try (XMemStore a = XMem.builder(dir("a"))
                        .sync(DirectoryBackend.at(dir("shared")))
                        .open();
                XMemStore b = XMem.builder(dir("b"))
                        .sync(DirectoryBackend.at(dir("shared")))
                        .open()) {
            fill(a);
            SyncReport sent = a.sync(LIMIT);
            assertThat(sent.lastError()).isNull();
            assertThat(sent.pending()).isZero();
            SyncReport received = b.sync(LIMIT);
            assertThat(received.lastError()).isNull();
            assertThat(received.refused()).isEmpty();
            assertThat(b.search(Query.all().kind(Entry.Kind.FAILURE)).matches()).hasSize(1);
            assertThat(b.search(Query.all().kind(Entry.Kind.NOTE)).matches()).hasSize(1);
            a.compact(a.planCompaction(Retention.defaults()));
            a.recordFailure(Failure.of("x", "later", "e").notes(WORD).tags("private"));
            a.recordFailure(Failure.of("x", "later", "another"));
            assertThat(a.sync(LIMIT).lastError()).isNull();
            assertThat(b.sync(LIMIT).refused()).isEmpty();
            assertThat(b.search(Query.literal("another")).total()).isEqualTo(1);
        }
        assertThat(bytesIn(dir("shared"))).doesNotContain(WORD).contains("open-session");
        assertThat(bytesIn(dir("b"))).doesNotContain(WORD);
        assertThat(bytesIn(dir("a"))).contains(WORD);
    }

    /** The state of sync is a cache: without it the store compares what it published, and is no copy of another one. */
    @Test
    void sync_afterTheLossOfItsState_goesOnUnderTheSameName() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (XMemStore a = XMem.builder(dir("a"))
                    .sync(DirectoryBackend.at(dir("shared")))
                    .open()) {
                fill(a);
                assertThat(a.sync(LIMIT).lastError()).isNull();
            }
            Files.deleteIfExists(dir("a").resolve(".xmem/sync-state.jsonl"));
        }
        try (Stream<Path> replicas = Files.list(dir("shared/xmem-v1"))) {
            assertThat(replicas).hasSize(1);
        }
        assertThat(bytesIn(dir("shared"))).doesNotContain(WORD);
    }

    @Test
    void export_leavesItOut() throws IOException {
        try (XMemStore store = XMem.open(dir("a"))) {
            fill(store);
        }
        ExportFiles export = ExportFiles.of(dir("a"), Map.of(), Map.of(), new byte[0]);
        export.files()
                .forEach((name, bytes) -> assertThat(new String(bytes, StandardCharsets.UTF_8))
                        .as(name)
                        .doesNotContain(WORD));
        assertThat(new String(export.files().get("failures.jsonl"), StandardCharsets.UTF_8))
                .contains("Log in first");
        assertThat(export.message()).doesNotContain(WORD);
    }

    @Test
    void share_refusesIt() {
        try (XMemStore store = XMem.builder(dir("a"))
                .alsoAsk(Layer.USER, XMem.builder(dir("user")))
                .alsoAsk(Layer.TEAM, XMem.builder(dir("team")))
                .open()) {
            for (String id : fill(store)) {
                for (Layer layer : List.of(Layer.USER, Layer.TEAM)) {
                    assertThatThrownBy(() -> store.share(id, layer))
                            .isInstanceOf(XMemException.Invalid.class)
                            .hasMessageContaining("private");
                }
            }
            store.flush();
        }
        assertThat(dir("user").resolve("data")).doesNotExist();
        assertThat(dir("team")).doesNotExist();
    }

    @Test
    void askedByAnotherStore_isNotShown() {
        List<String> ids;
        try (XMemStore user = XMem.open(dir("user"))) {
            ids = fill(user);
        }
        try (XMemStore store = XMem.builder(dir("a"))
                .alsoAsk(Layer.USER, XMem.builder(dir("user")))
                .open()) {
            Advice advice = store.recall(DEPLOY, REFUSED);
            assertThat(advice.text()).contains("Log in first", "seen 1×").doesNotContain(WORD);
            for (String id : ids) {
                assertThat(store.find(id + "@user")).isEmpty();
            }
            for (Query query : List.of(
                    Query.all(),
                    Query.words(WORD),
                    Query.literal(WORD),
                    Query.all().tag("private"))) {
                assertThat(store.search(query.layer(Layer.USER)).text()).doesNotContain(WORD);
            }
            try (XMemStore user = XMem.open(dir("user"))) {
                user.recordFailure(Failure.of(DEPLOY, REFUSED)
                        .patternAvoid(WORD + " again")
                        .tags("private"));
            }
            assertThat(store.recall(DEPLOY, REFUSED).text()).doesNotContain(WORD);
        }
    }

    @Test
    void mark_cannotBeAddedOrRemoved_andPromotionKeepsIt() {
        try (XMemStore store = XMem.inMemory()) {
            String id = store.recordFailure(Failure.of("a", "b", "c")).id();
            for (Amendment change : List.of(
                    Amendment.retag(Set.of("PRIVATE"), Set.of()), Amendment.retag(Set.of(), Set.of("private")))) {
                assertThatThrownBy(() -> store.amend(id, change)).isInstanceOf(XMemException.Invalid.class);
            }
            Success proven = (Success) store.recordAll(List.of(JsonDraft.of(
                            "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"p\",\"usage_count\":9,"
                                    + "\"confidence\":1.0,\"tags\":[\"private\"]}")))
                    .get(0);
            assertThat(store.promote(proven.id()).tags()).contains("private");
        }
    }

    @Test
    void compaction_doesNotMixItWithOthers() {
        try (XMemStore store = XMem.open(dir("a"))) {
            store.recordFailure(Failure.of(DEPLOY, REFUSED).notes(WORD).tags("private"));
            store.recordFailure(Failure.of(DEPLOY, REFUSED));
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(store.search(Query.all()).total()).isEqualTo(2);
            assertThat(store.search(Query.all().tag("private")).total()).isEqualTo(1);
        }
    }

    @Test
    void privateStore_neitherSyncsNorExportsNorSharesNorVotesNorAnswers() throws IOException {
        String users;
        try (XMemStore user = XMem.open(dir("user"))) {
            users = user.recordFailure(Failure.of(DEPLOY, REFUSED).patternAvoid("Use the kubelogin plug-in"))
                    .id();
        }
        String before = bytesIn(dir("user/data"));
        try (XMemStore store = XMem.builder(dir("a"))
                .privateStore()
                .alsoAsk(Layer.USER, XMem.builder(dir("user")))
                .open()) {
            String id = store.recordFailure(Failure.of(DEPLOY, REFUSED).patternAvoid(WORD))
                    .id();
            assertThat(store.recall(DEPLOY, REFUSED).text()).contains("kubelogin");
            store.guard().warmUp();
            store.guard().failed(DEPLOY.session("s"), REFUSED);
            store.guard()
                    .succeeded(ToolCall.shell("kubelogin && kubectl apply -f site.yaml")
                            .session("s"));
            store.flush();
            assertThatThrownBy(() -> store.share(id, Layer.USER)).isInstanceOf(XMemException.Unsupported.class);
            assertThatThrownBy(() -> store.reportOutcome(users + "@user", Outcome.WORKED, "s"))
                    .isInstanceOf(XMemException.Unsupported.class);
            assertThat(store.offers()).isEmpty();
        }
        assertThat(bytesIn(dir("user/data"))).isEqualTo(before);
        assertThat(dir("user/.xmem/proven.ndjson")).doesNotExist();
        assertThat(dir("a/data/private")).exists();
        // The mark holds for every later opening, and for other programs.
        assertThatThrownBy(() -> XMem.builder(dir("a"))
                        .sync(DirectoryBackend.at(dir("shared")))
                        .open())
                .isInstanceOf(XMemException.Unsupported.class);
        assertThatThrownBy(() -> XMem.builder(dir("b"))
                        .privateStore()
                        .sync(DirectoryBackend.at(dir("shared")))
                        .open())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExportFiles.of(dir("a"), Map.of(), Map.of(), new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("private");
        try (XMemStore other = XMem.builder(dir("c"))
                .alsoAsk(Layer.TEAM, XMem.builder(dir("a")))
                .open()) {
            assertThat(other.recall(DEPLOY, REFUSED).text()).doesNotContain(WORD);
            assertThat(other.stats().layers().get(0).problem()).contains("is private");
            assertThatThrownBy(() -> other.search(Query.all().layer(Layer.TEAM)))
                    .isInstanceOf(XMemException.Unsupported.class);
        }
    }

    @Test
    void privateStore_markedWhileItSyncs_publishesNothingMore() throws IOException {
        try (XMemStore a =
                XMem.builder(dir("a")).sync(DirectoryBackend.at(dir("shared"))).open()) {
            a.sync(LIMIT);
            Files.createFile(dir("a/data/private"));
            a.recordFailure(Failure.of("x", WORD, "e"));
            assertThat(a.sync(LIMIT).lastError()).contains("private");
        }
        if (Files.exists(dir("shared"))) {
            assertThat(bytesIn(dir("shared"))).doesNotContain(WORD);
        }
    }
}
