package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.append;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which entries a literal matches. */
class SearchLiteralsTest extends SearchFixture {
    @TempDir
    Path directory;

    @Test
    void literal_otherCase_isNotFound() {
        String id = failure("git", "fatal: Authentication failed for walrus");
        assertThat(search(Query.literal("Authentication failed"))).containsExactly(id);
        assertThat(search(Query.literal("authentication failed"))).isEmpty();
    }

    @Test
    void literal_partOfAWord_isFound() {
        String id = note("pterodactyl");
        assertThat(search(Query.literal("rodact"))).containsExactly(id);
    }

    @Test
    void literal_quotesBackslashesAndLineEnds_areThoseOfTheText() {
        String quotes = note("say \"yes\" now");
        String backslash = note("C:\\temp\\new");
        String lines = note("first\nsecond\tthird");
        assertThat(search(Query.literal("say \"yes\" now"))).containsExactly(quotes);
        assertThat(search(Query.literal("\\\"yes"))).isEmpty();
        assertThat(search(Query.literal("C:\\temp\\new"))).containsExactly(backslash);
        assertThat(search(Query.literal("\\\\"))).isEmpty();
        assertThat(search(Query.literal("first\nsecond"))).containsExactly(lines);
        assertThat(search(Query.literal("first\\nsecond"))).isEmpty();
    }

    @Test
    void literal_nonAscii_isFoundHoweverTheLineWritesIt() {
        append(
                directory,
                "notes.jsonl",
                "{'ts':'2026-01-02T00:00:00Z','type':'note','content':'café 😀 plain'}",
                "{'ts':'2026-01-01T00:00:00Z','type':'note','content':'caf\\u00e9 \\ud83d\\ude00 escaped'}");
        try (XMemStore files = Stores.in(directory)) {
            assertThat(contents(files.search(Query.literal("café 😀"))))
                    .containsExactly("café 😀 plain", "café 😀 escaped");
            assertThat(contents(files.search(Query.literal("u00e9")))).isEmpty();
        }
    }

    @Test
    void literal_ofCharactersThatAreEscapedInTheLine_isFound() {
        append(
                directory,
                "notes.jsonl",
                "{'ts':'2026-01-03T00:00:00Z','type':'note','content':'see \\/opt\\/walrus'}",
                "{'ts':'2026-01-02T00:00:00Z','type':'note','content':'see \\u002fopt/w\\u0061lrus'}",
                "{'ts':'2026-01-01T00:00:00Z','type':'note','content':'one\\ntwo\\tthree\\r\\b\\f'}");
        try (XMemStore files = Stores.in(directory)) {
            assertThat(contents(files.search(Query.literal("/opt/walrus")))).hasSize(2);
            assertThat(contents(files.search(Query.literal("walrus")))).hasSize(2);
            assertThat(contents(files.search(Query.literal("two\tthree\r\b\f"))))
                    .hasSize(1);
            assertThat(contents(files.search(Query.literal("ntwo")))).isEmpty();
            assertThat(contents(files.search(Query.regex("opt.walrus")))).hasSize(2);
        }
    }

    private List<String> contents(Page page) {
        return page.matches().stream()
                .map(match -> ((Note) match.entry()).content())
                .toList();
    }

    @Test
    void literal_theSyntaxOfALine_isNotText() {
        failure("git", "walrus");
        assertThat(search(Query.literal("{\""))).isEmpty();
        assertThat(search(Query.literal("\"tool\""))).isEmpty();
        assertThat(search(Query.literal("\"tool\":\"git\""))).isEmpty();
        assertThat(search(Query.literal("pattern_avoid"))).isEmpty();
        assertThat(search(Query.literal("null"))).isEmpty();
        assertThat(search(Query.literal("[]"))).isEmpty();
    }

    @Test
    void literal_acrossTwoFieldsOrItems_isNotFound() {
        store.recordFailure(Failure.of("git", "push", "walrus").tags("ab", "cd").triedAlso("ef", "gh"));
        assertThat(search(Query.literal("gitpush"))).isEmpty();
        assertThat(search(Query.literal("abcd"))).isEmpty();
        assertThat(search(Query.literal("ab\",\"cd"))).isEmpty();
        assertThat(search(Query.literal("ab, cd"))).isEmpty();
        assertThat(search(Query.literal("pushwalrus"))).isEmpty();
    }

    @Test
    void literal_keyOfANestedObject_isText() {
        String id = store.recordSuccess(Success.of("git", "heredoc").criticalParams("{\"commit_format\":{\"eof\":1}}"))
                .id();
        assertThat(search(Query.literal("commit_format"))).containsExactly(id);
        assertThat(search(Query.literal("eof"))).containsExactly(id);
        assertThat(search(Query.literal("critical_params"))).isEmpty();
    }

    @Test
    void literal_signsOfRegularExpressions_standForThemselves() {
        String id = note("a.*b (c|d) [e] $f");
        note("aXXb c d e f");
        assertThat(search(Query.literal("a.*b (c|d) [e] $f"))).containsExactly(id);
    }

    @Test
    void literal_whiteSpace_isNotFolded() {
        note("walrus marmot");
        assertThat(search(Query.literal("walrus  marmot"))).isEmpty();
    }

    @Test
    void literal_match_isExact() {
        note("walrus");
        assertThat(store.search(Query.literal("walr")).matches().get(0).matchType())
                .isEqualTo(Match.MatchType.EXACT);
    }
}
