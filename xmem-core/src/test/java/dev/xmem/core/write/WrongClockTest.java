package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks and lines with impossible times: no id is given twice, and a clock that is right again is believed. */
class WrongClockTest {
    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
    private static final Instant IN_2099 = Instant.parse("2099-06-01T10:00:00Z");
    private static final Pattern ID = Pattern.compile("\\d{4}-\\d\\d-\\d\\d-\\d{3,8}");

    @TempDir
    Path directory;

    private Instant clock = NOW;
    private final List<String> ids = new ArrayList<>();

    private XMemStore open() {
        return XMem.builder(directory).clock(() -> clock).open();
    }

    private String record(XMemStore store) {
        int n = ids.size();
        Entry entry = n % 2 == 0
                ? store.recordFailure(Failure.of("git", "push", "x" + n))
                : store.recordSuccess(Success.of("git", "y" + n));
        ids.add(entry.id());
        assertThat(entry.id()).matches(ID);
        return entry.id();
    }

    private void assertAllDifferent() {
        assertThat(ids).doesNotHaveDuplicates();
        try (XMemStore store = open()) {
            Set<String> found = new HashSet<>();
            store.search(Query.all().limit(70))
                    .matches()
                    .forEach(match -> found.add(match.entry().id()));
            found.removeIf(id -> id.startsWith("note-"));
            assertThat(found).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    private List<String> findings() {
        try (XMemStore store = open()) {
            VerifyReport report = store.verify();
            return report.findings();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+12000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z", "-0044-03-15T12:00:00Z", "max", "min"})
    void record_impossibleClock_givesEveryIdOnce(String time) {
        clock = time.equals("max") ? Instant.MAX : time.equals("min") ? Instant.MIN : Instant.parse(time);
        for (int restart = 0; restart < 3; restart++) {
            try (XMemStore store = open();
                    XMemStore other = open()) {
                record(store);
                record(other);
                record(store);
                assertThat(store.search(Query.words("git")).matches()).isNotEmpty();
                assertThat(store.stats().text()).isNotEmpty();
            }
        }
        clock = NOW;
        try (XMemStore store = open()) {
            assertThat(record(store)).startsWith("2026-11-23-00");
        }
        assertAllDifferent();
    }

    @Test
    void record_clockIsRightAgain_isBelievedAtOnce() {
        try (XMemStore store = open();
                XMemStore other = open()) {
            assertThat(record(store)).isEqualTo("2026-11-23-001");
            clock = IN_2099;
            assertThat(record(store)).isEqualTo("2099-06-01-001");
            assertThat(record(other)).isEqualTo("2099-06-01-002");
            clock = NOW.plusSeconds(60);
            assertThat(record(store)).isEqualTo("2026-11-23-002");
            assertThat(record(other)).isEqualTo("2026-11-23-003");
            Entry note = store.writeNote(Note.of("note", "now"));
            assertThat(note.ts()).isEqualTo(clock);
        }
        assertAllDifferent();
    }

    @Test
    void record_restartAfterTheClockIsRightAgain_givesNewIdsOfToday() {
        clock = IN_2099;
        try (XMemStore store = open()) {
            record(store);
            record(store);
        }
        clock = NOW;
        try (XMemStore store = open()) {
            assertThat(record(store)).isEqualTo("2026-11-23-001");
            assertThat(store.find("2026-11-23-001").orElseThrow().ts()).isEqualTo(NOW);
        }
        clock = IN_2099;
        try (XMemStore store = open()) {
            assertThat(record(store)).isEqualTo("2099-06-01-003");
        }
        clock = NOW;
        assertAllDifferent();
    }

    @Test
    void record_clockGoesBackALittle_keepsTheOrder() {
        try (XMemStore store = open()) {
            record(store);
            clock = NOW.minus(Duration.ofHours(3));
            assertThat(store.find(record(store)).orElseThrow().ts()).isEqualTo(NOW);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999998", "99999999", "100000000", "999999999"})
    void record_lineWithAHugeNumber_givesEveryIdOnce(String number) {
        String line = "{\"id\":\"%s-%s\",\"ts\":\"2026-11-23T09:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"a\","
                + "\"error\":\"b\"}\n";
        Stores.appendRaw(directory, "failures.jsonl", line.formatted("2026-11-23", number));
        Stores.appendRaw(directory, "failures.jsonl", line.formatted("2026-11-24", number));
        ids.add("2026-11-23-" + number);
        ids.add("2026-11-24-" + number);
        for (int restart = 0; restart < 3; restart++) {
            try (XMemStore store = open()) {
                record(store);
                for (Entry entry :
                        store.recordAll(List.of(Failure.of("git", "pull", "a" + restart), Failure.of("c", "d", "e")))) {
                    ids.add(entry.id());
                }
            }
        }
        assertAllDifferent();
        clock = NOW.plus(Duration.ofDays(3));
        try (XMemStore store = open()) {
            assertThat(record(store)).matches("2026-11-26-00\\d");
        }
    }

    @Test
    void verify_timesFarInTheFuture_areReported() {
        clock = IN_2099;
        try (XMemStore store = open()) {
            record(store);
        }
        assertThat(findings()).isEmpty();
        clock = NOW;
        assertThat(findings())
                .singleElement()
                .asString()
                .contains("failures.jsonl at byte 0: ")
                .contains("more than a day in the future");
        try (XMemStore store = open()) {
            store.purge(Set.copyOf(ids), true);
        }
        assertThat(findings()).isEmpty();
    }

    @Test
    void verify_lineOfTheYear12000_hasNoTime() {
        Stores.appendRaw(
                directory,
                "failures.jsonl",
                "{\"id\":\"2026-11-23-001\",\"ts\":\"+12000-01-01T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"a\","
                        + "\"error\":\"b\"}\n");
        assertThat(findings()).singleElement().asString().contains("ts is missing or not a time");
        try (XMemStore store = open()) {
            assertThat(store.search(Query.all()).matches()).hasSize(1);
            assertThat(record(store)).isEqualTo("2026-11-23-002");
        }
    }
}
