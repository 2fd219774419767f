package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two different lines with one id are told apart, also on a day that was asked for often and is known by then. */
class RepeatedIdsTest {
    private static final int LINES = 200;

    @TempDir
    Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        for (int i = 1; i <= LINES; i++) {
            append("failures", line("2026-01-01-%03d".formatted(i), "tool_failure", "git", "x" + i));
        }
    }

    private static String line(String id, String type, String tool, String error) {
        String what = type.equals("tool_failure") ? "error" : "pattern_name";
        return "{\"id\":\"" + id + "\",\"ts\":\"" + id.substring(0, 10) + "T00:00:00Z\",\"type\":\"" + type
                + "\",\"tool\":\"" + tool + "\",\"" + what + "\":\"" + error + "\",\"ctx_hash\":\"git-push-x\"}\n";
    }

    private void append(String log, String line) throws IOException {
        Path file = folder.resolve("data/" + log + ".jsonl");
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private XMemStore open() {
        return TestStores.builder(folder, 32).open();
    }

    private static List<String> ids(XMemStore store, String tool) {
        return store.search(Query.all().tool(tool).layout(Query.Layout.DATA)).matches().stream()
                .map(match -> match.entry().id())
                .toList();
    }

    private static void askOften(XMemStore store) {
        for (int i = 0; i < LINES; i += Query.MAX_ENTRIES) {
            for (var match :
                    store.search(Query.all().limit(Query.MAX_ENTRIES).offset(i)).matches()) {
                assertThat(match.entry().id()).hasSize("2026-01-01-001".length());
            }
        }
    }

    private void assertToldApart(XMemStore store) {
        assertThat(ids(store, "other")).singleElement().asString().matches("2026-01-01-007~[0-9a-f]{8}");
        assertThat(store.search(Query.literal("\"x7\"").limit(1)).total()).isZero();
        Entry first = store.search(Query.words("x7").limit(1)).matches().get(0).entry();
        assertThat(first.id()).matches("2026-01-01-007~[0-9a-f]{8}");
    }

    @Test
    void anotherProgram_givesAnIdAgain_isToldApart() throws IOException {
        try (XMemStore store = open()) {
            askOften(store);
            append("failures", line("2026-01-01-007", "tool_failure", "other", "again"));
            assertToldApart(store);
        }
        try (XMemStore store = open()) {
            store.verify();
            assertToldApart(store);
        }
    }

    @Test
    void anotherLog_givesAnIdAgain_isToldApart() throws IOException {
        try (XMemStore store = open()) {
            askOften(store);
            append("successes", line("2026-01-01-007", "success_pattern", "other", "again"));
            assertToldApart(store);
        }
    }

    /** The reading of the log fails once, after it has added some lines. */
    @Test
    void anotherProgram_givesAnIdAgainAndAReadFails_isToldApart() throws IOException {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store = TestStores.builder(folder, disk).open()) {
            askOften(store);
            StringBuilder lines = new StringBuilder(line("2026-01-01-007", "tool_failure", "other", "again"));
            for (int i = 1000; i < 7000; i++) {
                lines.append(line("2026-01-01-" + i, "tool_failure", "filler", "z" + i));
            }
            append("failures", lines.toString());
            AtomicBoolean fails = new AtomicBoolean(true);
            disk.unreadable = (file, position) -> position > lines.length() / 2 && fails.getAndSet(false);
            assertThatThrownBy(() -> store.search(Query.all().limit(1))).isInstanceOf(XMemException.Io.class);
            assertThat(fails).isFalse();
            assertToldApart(store);
        }
    }

    @Test
    void repeatedId_wasThereBefore_isToldApartHoweverOftenAsked() throws IOException {
        append("failures", line("2026-01-01-007", "tool_failure", "other", "again"));
        try (XMemStore store = open()) {
            store.verify();
            for (int i = 0; i < LINES; i++) {
                store.search(Query.all().limit(Query.MAX_ENTRIES).offset(i));
            }
            assertToldApart(store);
            assertThat(ids(store, "git")).filteredOn(id -> id.contains("~")).isEmpty();
        }
    }

    @Test
    void repeatedId_oneOfTheLinesIsErased_isPlainAgain() throws IOException {
        try (XMemStore store = open()) {
            askOften(store);
            append("failures", line("2026-01-01-007", "tool_failure", "other", "again"));
            String suffixed = ids(store, "other").get(0);
            assertThat(store.purge(Set.of(suffixed), false)).isPositive();
            assertThat(ids(store, "other")).isEmpty();
            assertThat(store.find("2026-01-01-007")).isPresent();
        }
    }

    /** One page asks for days and owners in turn; only the one that was asked for last is kept beside the others. */
    @Test
    void repeatedIds_ofSeveralDaysAndOwners_areToldApartWhereTheyRepeat() throws IOException {
        append("failures", line("2026-01-01-007", "tool_failure", "pair", "again"));
        append("failures", line("2026-01-01-0007", "tool_failure", "pair", "another number"));
        append("failures", line("2026-01-02-007", "tool_failure", "pair", "another day"));
        for (String peer : List.of("5f3a9c01d2e4b687", "b07e9c01d2e4b687")) {
            Files.createDirectories(folder.resolve("data/peers/" + peer));
            append("peers/" + peer + "/failures", line("2026-01-01-007", "tool_failure", "pair", "theirs"));
            append("peers/" + peer + "/failures", line("2026-01-01-008", "tool_failure", "pair", "of " + peer));
        }
        append("peers/5f3a9c01d2e4b687/failures", line("2026-01-01-008", "tool_failure", "pair", "again"));
        try (XMemStore store = open()) {
            for (int i = 0; i < LINES; i++) {
                assertThat(ids(store, "pair").stream().map(id -> id.replaceAll("~[0-9a-f]{8}", "~")))
                        .containsExactlyInAnyOrder(
                                "2026-01-01-007~",
                                "2026-01-01-0007",
                                "2026-01-02-007",
                                "2026-01-01-007@5f3a9c01",
                                "2026-01-01-008~@5f3a9c01",
                                "2026-01-01-008~@5f3a9c01",
                                "2026-01-01-008@b07e9c01");
            }
        }
    }

    @Test
    void ids_ofImpossibleDaysAndOtherForms_areShownAsTheyAre() throws IOException {
        append("failures", line("0000-99-99-001", "tool_failure", "strange", "y1"));
        append("failures", line("0000-99-99-999999999", "tool_failure", "strange", "y2"));
        append("failures", line("no such id form", "tool_failure", "strange", "y3"));
        try (XMemStore store = open()) {
            for (int i = 0; i < LINES; i++) {
                assertThat(ids(store, "strange"))
                        .containsExactlyInAnyOrder("0000-99-99-001", "0000-99-99-999999999", "no such id form");
            }
        }
    }

    /** The days of different years share what is remembered of the last ones. */
    @Test
    void oneDayOfTwoYears_eachIsToldApartByItsOwnIds() throws IOException {
        for (int i = 1; i <= LINES; i++) {
            append("failures", line("2027-01-01-%03d".formatted(i), "tool_failure", "git", "y" + i));
        }
        append("failures", line("2027-01-01-007", "tool_failure", "other", "again"));
        try (XMemStore store = open()) {
            for (int i = 0; i < 3; i++) {
                for (int offset = 0; offset <= 2 * LINES; offset += Query.MAX_ENTRIES) {
                    Query page =
                            Query.all().limit(Query.MAX_ENTRIES).offset(offset).layout(Query.Layout.DATA);
                    for (var match : store.search(page).matches()) {
                        boolean twice = match.entry().id().startsWith("2027-01-01-007");
                        assertThat(match.entry().id().indexOf('~') > 0).isEqualTo(twice);
                    }
                }
                assertThat(ids(store, "other")).singleElement().asString().matches("2027-01-01-007~[0-9a-f]{8}");
                Query seven = Query.words("x7").limit(1).layout(Query.Layout.DATA);
                assertThat(store.search(seven).matches().get(0).entry().id()).isEqualTo("2026-01-01-007");
            }
        }
    }
}
