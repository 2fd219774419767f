package dev.xmem.core.answer.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry is hidden by what replaces it as long as that is there, wherever it is. */
class ReplacementTest {
    @TempDir
    Path directory;

    private final Instant[] now = {Stores.NOW};

    private XMemStore open() {
        return XMem.builder(directory).clock(() -> now[0]).open();
    }

    private static String fail(XMemStore store, String tool) {
        return store.recordFailure(Failure.of(tool, "run", tool + ": cannot find it"))
                .id();
    }

    private static List<String> all(XMemStore store) {
        return Stores.ids(store.search(Query.all()));
    }

    private static String json(XMemStore store, String id) {
        return store.find(id).orElseThrow().json();
    }

    @Test
    void purge_replacement_whatItReplacedIsShownAgain() throws IOException {
        try (XMemStore store = open()) {
            String old = fail(store, "git");
            String fresh = fail(store, "npm");
            store.amend(old, Amendment.supersededBy(fresh));
            assertThat(all(store)).containsExactly(fresh);
            assertThat(json(store, old)).contains("\"superseded_by\":\"" + fresh + "\"");
            assertThat(store.purge(Set.of(fresh)))
                    .as("the entry, and the line that names it")
                    .isEqualTo(2);
            assertThat(all(store)).containsExactly(old);
            assertThat(json(store, old)).doesNotContain("superseded_by");
            assertThat(Files.readString(directory.resolve("data/failures.jsonl")))
                    .doesNotContain(fresh);
        }
        try (XMemStore store = open()) {
            assertThat(all(store)).hasSize(1);
        }
    }

    @Test
    void recall_replacedFailure_itsFixAnswersWhatReplacesIt() {
        try (XMemStore store = open()) {
            String old = fail(store, "git");
            store.recordSuccess(Success.of("git", "install it first").answers(old));
            String first = fail(store, "git");
            String second = fail(store, "git");
            store.amend(old, Amendment.supersededBy(first));
            store.amend(first, Amendment.supersededBy(second));

            ToolError error = ToolError.text("git: cannot find it");
            assertThat(store.recall(ToolCall.of("git", "run"), error).text()).contains("seen 1×", "install it first");
        }
    }

    /** A log may claim any chain of replacements. */
    @Test
    void recall_longChainOfReplacements_isAnswered() throws IOException {
        StringBuilder log = new StringBuilder();
        String fields = "\"ts\":\"2026-02-14T16:00:00Z\",\"type\":";
        for (int i = 0; i <= 20_000; i++) {
            String id = "2026-02-14-" + (1_000 + i);
            log.append("{\"id\":\"" + id + "\"," + fields + "\"tool_failure\",\"tool\":\"git\",\"action\":\"run\","
                    + "\"error\":\"git: cannot find it\",\"ctx_hash\":\"h-" + i + "\"}\n");
            log.append(
                    i == 0
                            ? ""
                            : "{" + fields + "\"amendment\",\"target\":\"2026-02-14-" + (999 + i)
                                    + "\",\"change\":\"supersede\",\"by\":\"" + id + "\"}\n");
        }
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/failures.jsonl"), log);
        try (XMemStore store = open()) {
            assertThat(all(store)).containsExactly("2026-02-14-21000");
            store.recordSuccess(Success.of("git", "install it first").answers("2026-02-14-20999"));
            String known =
                    "{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"run\",\"error\":\"git: cannot find it\","
                            + "\"id\":\"2026-02-14-30000\"}";
            String last = store.recordAll(List.of(JsonDraft.of(known))).get(0).id();
            store.amend("2026-02-14-21000", Amendment.supersededBy(last));
            ToolError error = ToolError.text("git: cannot find it");
            assertThat(store.recall(ToolCall.of("git", "run"), error).text()).contains("install it first");
        }
    }

    @Test
    void purge_lastReplacement_theOneBeforeHolds() {
        try (XMemStore store = open()) {
            String old = fail(store, "git");
            String first = fail(store, "npm");
            String second = fail(store, "tar");
            store.amend(old, Amendment.supersededBy(first));
            now[0] = now[0].plusSeconds(1);
            store.amend(old, Amendment.supersededBy(second));
            assertThat(json(store, old)).contains("\"superseded_by\":\"" + second + "\"");
            store.purge(Set.of(second));
            assertThat(json(store, old)).contains("\"superseded_by\":\"" + first + "\"");
            assertThat(all(store)).containsExactly(first);
        }
    }

    /** What a replacement has become part of replaces too, and takes the line along that names the replacement. */
    @Test
    void compactAndPurge_replacementThatIsPartOfAnother_hidesUntilThatIsErased() throws IOException {
        try (XMemStore store = open()) {
            String old = fail(store, "git");
            String merged = fail(store, "npm");
            String newest = fail(store, "npm");
            store.amend(old, Amendment.supersededBy(merged));
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(all(store)).containsExactly(newest);
            store.purge(Set.of(newest));
            assertThat(all(store)).containsExactly(old);
            assertThat(Files.readString(directory.resolve("data/failures.jsonl")))
                    .doesNotContain(merged);
        }
    }

    @Test
    void search_replacementInAnArchive_hidesAllTheSame() {
        String old;
        String fresh;
        try (XMemStore store = open()) {
            fresh = fail(store, "npm");
            now[0] = now[0].plus(Duration.ofDays(200));
            old = fail(store, "git");
            store.amend(old, Amendment.supersededBy(fresh));
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(directory.resolve("data/archive/failures-2026-02.jsonl")).exists();
            assertThat(all(store)).containsExactly(fresh);
        }
        try (XMemStore store = open()) {
            assertThat(Stores.ids(store.search(Query.parse("tool=git")))).isEmpty();
            assertThat(all(store)).containsExactly(fresh);
            store.purge(Set.of(fresh));
            assertThat(Stores.ids(store.search(Query.parse("tool=git")))).containsExactly(old);
        }
    }

    @Test
    void purge_replacementOfADirectiveAndOfANote_bothAreShownAgain() {
        try (XMemStore store = open()) {
            String rule = store.remember(Directive.parse("never use pnpm")).id();
            String newer = store.remember(Directive.parse("never use yarn")).id();
            String note = store.writeNote(Note.of("note", "one")).id();
            String next = store.writeNote(Note.of("note", "two")).id();
            store.amend(rule, Amendment.supersededBy(newer));
            store.amend(note, Amendment.supersededBy(next));
            assertThat(all(store)).containsExactlyInAnyOrder(newer, next);
            store.purge(Set.of(newer, next));
            assertThat(all(store)).containsExactlyInAnyOrder(rule, note);
            assertThat(Stores.ids(store.search(Query.all().kind(Entry.Kind.DIRECTIVE))))
                    .containsExactly(rule);
        }
    }

    /** Another program took the lines away: nothing speaks for the erased entry but the line that names it. */
    @Test
    void logWithoutTheReplacement_hidesNothing_andHidesAgainWhenItIsBack() throws IOException {
        Path log = directory.resolve("data/failures.jsonl");
        try (XMemStore store = open()) {
            String old = fail(store, "git");
            String fresh = fail(store, "npm");
            store.amend(old, Amendment.supersededBy(fresh));
            List<String> lines = Files.readAllLines(log);
            Path next = Files.writeString(
                    directory.resolve("next"),
                    String.join(
                                    "\n",
                                    lines.stream()
                                            .filter(line -> !line.contains("\"npm\""))
                                            .toList()) + "\n");
            Files.move(next, log, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertThat(all(store)).containsExactly(old);
            Files.writeString(log, lines.get(1) + "\n", java.nio.file.StandardOpenOption.APPEND);
            assertThat(all(store)).containsExactly(fresh);
        }
    }
}
