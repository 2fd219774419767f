package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.NOW;
import static dev.xmem.core.answer.search.Stores.append;
import static dev.xmem.core.answer.search.Stores.appendRaw;
import static dev.xmem.core.answer.search.Stores.ids;
import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of search results, and limit and offset. */
class SearchOrderTest extends SearchFixture {
    @TempDir
    Path directory;

    @Test
    void order_sameTime_isTheLaterLineFirstAndFailuresBeforeSuccessesBeforeNotes() {
        String note1 = note("walrus 1");
        String failure1 = failure("git", "walrus 2");
        String success = store.recordSuccess(Success.of("git", "walrus 3")).id();
        String failure2 = failure("git", "walrus 4");
        String note2 = note("walrus 5");
        assertThat(search(Query.all())).containsExactly(failure2, failure1, success, note2, note1);
        assertThat(search(Query.literal("walrus"))).containsExactly(failure2, failure1, success, note2, note1);
    }

    @Test
    void order_timesInTheFuture_countAsAMinuteFromNow() {
        List<String> ids = record(
                store,
                "{'type':'note','content':'walrus','ts':'2100-01-01T00:00:00Z'}",
                "{'type':'note','content':'walrus','ts':'2099-01-01T00:00:00Z'}",
                "{'type':'note','content':'walrus','ts':'" + NOW.plusSeconds(30) + "'}",
                "{'type':'note','content':'walrus','ts':'" + NOW + "'}");
        List<String> expected = List.of(ids.get(1), ids.get(0), ids.get(2), ids.get(3));
        assertThat(search(Query.all())).isEqualTo(expected);
        assertThat(search(Query.words("walrus"))).isEqualTo(expected);
    }

    @Test
    void order_linesNotInTheOrderOfTheirTimes_isByTime() {
        append(
                directory,
                "failures.jsonl",
                "{'id':'2026-01-03-001','ts':'2026-01-03T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                "{'id':'2026-01-01-001','ts':'2026-01-01T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                "{'id':'2026-01-09-001','ts':'no time','type':'tool_failure','tool':'git','error':'walrus'}",
                "{'id':'2026-01-02-001','ts':'2026-01-02T00:00:00Z','type':'tool_failure','tool':'git','error':'walrus'}",
                "{'id':'2026-01-02-002','ts':'2026-01-02T02:00:00+02:00','type':'tool_failure','tool':'git','error':'walrus'}");
        try (XMemStore files = Stores.in(directory)) {
            List<String> expected =
                    List.of("2026-01-03-001", "2026-01-02-002", "2026-01-02-001", "2026-01-01-001", "2026-01-09-001");
            assertThat(ids(files.search(Query.all()))).isEqualTo(expected);
            assertThat(ids(files.search(Query.all().tool("git")))).isEqualTo(expected);
            assertThat(ids(files.search(Query.literal("walrus")))).isEqualTo(expected);
            assertThat(ids(files.search(Query.words("walrus").order(Query.Order.NEWEST))))
                    .isEqualTo(expected);
        }
    }

    @Test
    void limit_andOffset_cutTheRanking() {
        for (int i = 0; i < 10; i++) {
            note("walrus " + i);
        }
        List<String> all = search(Query.all());
        assertThat(search(Query.all().limit(3))).isEqualTo(all.subList(0, 3));
        assertThat(search(Query.all().limit(3).offset(4))).isEqualTo(all.subList(4, 7));
        assertThat(search(Query.literal("walrus").limit(3).offset(8))).isEqualTo(all.subList(8, 10));
        Page page = store.search(Query.all().limit(3).offset(4));
        assertThat(page.total()).isEqualTo(10);
        assertThat(page.nextOffset()).isEqualTo(7);
    }

    @Test
    void limit_beyondTheMost_isTheMost() {
        for (int i = 0; i < 80; i++) {
            note("walrus " + i);
        }
        assertThat(store.search(Query.all().limit(1000)).matches()).hasSize(Query.MAX_ENTRIES);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 1000, Integer.MAX_VALUE - 71, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
    void offset_atOrBeyondTheEnd_isAnEmptyPageWithTheTotal(int offset) {
        for (int i = 0; i < 5; i++) {
            note("walrus");
            failure("git", "walrus " + i);
        }
        for (Query query : List.of(
                Query.all().kind(Entry.Kind.FAILURE),
                Query.literal("walrus").kind(Entry.Kind.FAILURE),
                Query.regex("walr.s").kind(Entry.Kind.FAILURE),
                Query.words("walrus").kind(Entry.Kind.FAILURE))) {
            Page page = store.search(query.offset(offset));
            assertThat(page.matches()).isEmpty();
            assertThat(page.total()).isEqualTo(5);
            assertThat(page.cursor()).isNull();
            assertThat(page.nextOffset()).isNull();
            assertThat(page.text()).isNotEmpty();
        }
    }

    @Test
    void lines_thatAreTheSame_countOnce() {
        String line = "{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"walrus\"}\n";
        appendRaw(directory, "notes.jsonl", line + line.replace("walrus", "marmot") + line);
        try (XMemStore files = Stores.in(directory)) {
            assertThat(files.search(Query.all()).total()).isEqualTo(2);
            assertThat(files.search(Query.literal("walrus")).total()).isEqualTo(1);
            assertThat(files.search(Query.words("walrus")).total()).isEqualTo(1);
        }
    }

    @Test
    void search_afterAnotherStoreAppended_seesIt() {
        try (XMemStore one = Stores.in(directory);
                XMemStore two = Stores.in(directory)) {
            one.writeNote(Note.of("note", "walrus"));
            assertThat(two.search(Query.words("walrus")).total()).isEqualTo(1);
            two.writeNote(Note.of("note", "another walrus"));
            assertThat(one.search(Query.words("walrus")).total()).isEqualTo(2);
        }
    }
}
