package dev.xmem.core.answer.search;

import static dev.xmem.core.answer.search.Stores.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.EntryDraft;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which changes of the store a cursor survives, and the message when it has expired. */
class CursorTest {
    private static final Query QUERY = Query.words("walrus").limit(2);

    @TempDir
    Path directory;

    @BeforeEach
    void record() {
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 7; i++) {
                store.writeNote(Note.of("note", "walrus number " + i));
            }
        }
    }

    private static String cursor(XMemStore store) {
        return Objects.requireNonNull(store.search(QUERY).cursor());
    }

    private static void assertRefused(XMemStore store, Query query, String sentence) {
        assertThatThrownBy(() -> store.search(query))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("cursor")
                .hasMessageContaining(sentence);
    }

    @Test
    void after_cursor_goesOnWhereThePageEnded() {
        try (XMemStore store = Stores.in(directory)) {
            List<String> all = ids(store.search(QUERY.limit(70)));
            Page second = store.search(QUERY.after(cursor(store)));
            assertThat(ids(second)).isEqualTo(all.subList(2, 4));
            assertThat(second.total()).isEqualTo(7);
            assertThat(second.nextOffset()).isEqualTo(4);
        }
    }

    @Test
    void after_cursorWithAnOffset_leavesOutMore() {
        try (XMemStore store = Stores.in(directory)) {
            List<String> all = ids(store.search(QUERY.limit(70)));
            assertThat(ids(store.search(QUERY.after(cursor(store)).offset(3)))).isEqualTo(all.subList(5, 7));
            assertThat(store.search(QUERY.after(cursor(store)).offset(Integer.MAX_VALUE))
                            .matches())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"walrus", "walrus marmot", "marmot badger otter"})
    void after_moreMatchesThanAreCounted_eachIsOnOnePage(String words) throws IOException {
        Query query = Query.words(words).deep().layout(Query.Layout.DATA).limit(Query.MAX_ENTRIES);
        AtomicLong seconds = new AtomicLong();
        InstantSource clock = () -> Stores.NOW.plusSeconds(seconds.get() / 3);
        List<String> expected = new ArrayList<>();
        try (XMemStore store = XMem.inMemoryBuilder().clock(clock).open()) {
            write(store, seconds, 1_800);
            for (int offset = 0; offset < 1_300; offset += Query.MAX_ENTRIES) {
                expected.addAll(texts(store.search(query.offset(offset))));
            }
        }
        List<String> paged = new ArrayList<>();
        seconds.set(0);
        try (XMemStore store = TestStores.builder(directory.resolve("segments"), 512)
                .clock(clock)
                .open()) {
            write(store, seconds, 1_800);
            Page page = store.search(query);
            while (paged.size() < expected.size() && page.cursor() != null) {
                paged.addAll(texts(page));
                write(store, seconds, 40);
                if (paged.size() % 4 == 0) {
                    TestStores.mergeOne(store, () -> false);
                }
                page = store.search(query.after(Objects.requireNonNull(page.cursor())));
            }
        }
        assertThat(paged).hasSizeGreaterThan(TextSearch.COUNTED).isEqualTo(expected);
    }

    private static void write(XMemStore store, AtomicLong seconds, int count) {
        List<String> others = List.of("marmot", "badger", "otter", "heron");
        List<EntryDraft> notes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long number = seconds.getAndIncrement();
            String other = others.get((int) (number * number % 11 % 4)) + " " + others.get((int) (number % 13 % 4));
            notes.add(Note.of("note", "walrus " + other + " words".repeat((int) (number % 7 % 3)) + " #" + number));
            if (notes.size() == 20) {
                store.recordAll(notes);
                notes.clear();
            }
        }
    }

    private static List<String> texts(Page page) {
        return page.matches().stream()
                .map(match -> ((Note) match.entry()).content())
                .toList();
    }

    @Test
    void after_reopening_goesOn() {
        String cursor;
        List<String> all;
        try (XMemStore store = Stores.in(directory)) {
            cursor = cursor(store);
            all = ids(store.search(QUERY.limit(70)));
        }
        try (XMemStore store = Stores.in(directory)) {
            store.writeNote(Note.of("note", "walrus from later"));
            assertThat(ids(store.search(QUERY.after(cursor)))).isEqualTo(all.subList(2, 4));
        }
    }

    @Test
    void after_anotherLimitBudgetOrLayout_goesOn() {
        try (XMemStore store = Stores.in(directory)) {
            List<String> all = ids(store.search(QUERY.limit(70)));
            Query query = QUERY.after(cursor(store));
            assertThat(ids(store.search(query.limit(70)))).isEqualTo(all.subList(2, 7));
            assertThat(ids(store.search(query.tokenBudget(14_000)))).isEqualTo(all.subList(2, 4));
            assertThat(ids(store.search(query.layout(Query.Layout.JSON)))).isEqualTo(all.subList(2, 4));
        }
    }

    @Test
    void after_theCursorInTheQueryLanguage_isTheSame() {
        try (XMemStore store = Stores.in(directory)) {
            Query parsed = Query.parse("walrus", "limit=2", "cursor=" + cursor(store));
            assertThat(ids(store.search(parsed))).isEqualTo(ids(store.search(QUERY.after(cursor(store)))));
        }
    }

    @Test
    void after_cursorOfAnotherQuery_isRefused() {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            for (Query other : List.of(
                    Query.all(),
                    Query.words("walrus number"),
                    Query.literal("walrus"),
                    QUERY.type("fact"),
                    QUERY.tag("net"),
                    QUERY.order(Query.Order.NEWEST),
                    QUERY.between(Stores.NOW, null))) {
                assertRefused(store, other.after(cursor), "another query");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "!!!",
                "AAAA",
                "AQ",
                "äöü",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void after_garbage_isRefused(String garbage) {
        try (XMemStore store = Stores.in(directory)) {
            assertRefused(store, QUERY.after(garbage), "");
        }
    }

    @Test
    void after_truncatedOrChangedCursor_isRefusedOrAnswered() {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            for (int length = 0; length < cursor.length() - 1; length++) {
                assertRefused(store, QUERY.after(cursor.substring(0, length)), "");
            }
            for (int i = 0; i < cursor.length(); i++) {
                String changed =
                        cursor.substring(0, i) + (cursor.charAt(i) == 'A' ? 'B' : 'A') + cursor.substring(i + 1);
                try {
                    assertThat(store.search(QUERY.after(changed)).total()).isBetween(0L, 7L);
                } catch (XMemException.Syntax e) {
                    assertThat(e).hasMessageContaining("cursor");
                }
            }
        }
    }

    @Test
    void after_cursorOfAnotherStore_isRefused(@TempDir Path elsewhere) {
        try (XMemStore store = Stores.in(directory);
                XMemStore other = Stores.in(elsewhere)) {
            for (int i = 0; i < 9; i++) {
                other.writeNote(Note.of("note", "walrus elsewhere " + i));
            }
            assertRefused(store, QUERY.after(cursor(other)), "Ask again");
            assertRefused(other, QUERY.after(cursor(store)), "Ask again");
        }
    }

    @Test
    void after_theLogWasReplacedByAShorterOne_isRefused() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            replace(lines().subList(0, 5));
            assertRefused(store, QUERY.after(cursor), "Ask again");
            assertThat(store.search(QUERY).total()).isEqualTo(5);
        }
    }

    @Test
    void after_theLogWasReplacedByAnotherOrder_isRefused() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            List<String> lines = lines();
            Collections.reverse(lines);
            replace(lines);
            assertRefused(store, QUERY.after(cursor), "Ask again");
        }
    }

    @Test
    void after_theLogWasReplacedAndItsEndIsTheSame_isRefused() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            List<String> lines = lines();
            lines.set(0, lines.get(0).replace("walrus", "marmot"));
            replace(lines);
            assertRefused(store, QUERY.after(cursor), "Ask again");
        }
    }

    @Test
    void after_theLogIsGone_isRefused() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            String cursor = cursor(store);
            Files.delete(directory.resolve("data/notes.jsonl"));
            assertRefused(store, QUERY.after(cursor), "Ask again");
            assertThat(store.search(QUERY).total()).isZero();
        }
    }

    private List<String> lines() throws IOException {
        return new ArrayList<>(Files.readAllLines(directory.resolve("data/notes.jsonl")));
    }

    /** Replaces the log by another file, as a compaction or an editor does. */
    private void replace(List<String> lines) throws IOException {
        Path other = directory.resolve("data/notes.new");
        Files.write(other, lines);
        Files.move(other, directory.resolve("data/notes.jsonl"), StandardCopyOption.REPLACE_EXISTING);
    }
}
