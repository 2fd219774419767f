package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fixtures.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a store holds: a compaction loses nothing of it, and a second one finds nothing to do. */
class CompactionPropertyTest {
    /** What one line knows; some of it is missing. */
    record Knowledge(
            int family,
            int subject,
            int hoursAgo,
            int tried,
            int tag,
            int notes,
            int advice,
            int session,
            boolean critical) {
        String json(int number) {
            Instant ts = Stores.NOW.minus(Duration.ofHours(hoursAgo));
            StringBuilder json =
                    new StringBuilder("{'id':'%s-%03d','ts':'%s','type':'tool_failure','tool':'t','error':'e',"
                            .formatted(ts.toString().substring(0, 10), number, ts));
            json.append("'ctx_hash':'t-f").append(family).append('\'');
            json.append(subject == 0 ? "" : ",'subject':'s" + subject + "'");
            json.append(tried == 0 ? "" : ",'tried_also':['tried " + tried + "','tried too']");
            json.append(tag == 0 ? "" : ",'tags':['tag" + tag + "']");
            json.append(notes == 0 ? "" : ",'notes':'notes " + notes + "'");
            json.append(advice == 0 ? "" : ",'pattern_avoid':'advice " + advice + "'");
            json.append(session == 0 ? "" : ",'session_id':'session " + session + "'");
            json.append(critical ? ",'block_level':'critical'}" : "}");
            return json.toString().replace('\'', '"');
        }
    }

    @Provide
    Arbitrary<List<Knowledge>> lines() {
        Arbitrary<Integer> some = Arbitraries.integers().between(0, 4);
        return Combinators.combine(
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.integers().between(1, 4_000),
                        some,
                        some,
                        some,
                        some)
                .as((family, subject, hours, a, b, c, d) ->
                        new Knowledge(family, subject, hours, a, b, c, d, a + b, d == 3))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    @Property(tries = 60)
    void compact_anyLines_losesNothingAndIsTheSameTwice(@ForAll("lines") List<Knowledge> lines) {
        try (XMemStore store = Stores.inMemory()) {
            record(store, lines);
            List<Entry> before = entries(store);
            Directive directive = store.remember(Directive.rule(new Directive.Triple("a", "is", "required")));
            int planned = store.planCompaction(Retention.defaults()).removes().size();
            CompactionReport report = store.compact(store.planCompaction(Retention.defaults()));
            assertThat(report.removed()).isEqualTo(planned);
            Map<String, Map<String, Object>> coverings = coverings(store);
            for (Entry entry : before) {
                Map<String, Object> now = coverings.get(entry.id());
                assertThat(now).as(entry.id()).isNotNull();
                assertKnows(Objects.requireNonNull(now), Json.object(entry.json()));
                assertThat(store.find(entry.id())).isPresent();
            }
            assertThat(store.find(directive.id())).contains(directive);
            assertThat(store.planCompaction(Retention.defaults()).isEmpty()).isTrue();
            List<String> once = entries(store).stream().map(Entry::json).toList();
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(entries(store).stream().map(Entry::json)).isEqualTo(once);
            if (planned > 0) {
                store.restore(report.backup());
                assertThat(new HashSet<>(
                                entries(store).stream().map(Entry::json).toList()))
                        .isEqualTo(
                                new HashSet<>(before.stream().map(Entry::json).toList()));
            }
        }
    }

    private static void record(XMemStore store, List<Knowledge> lines) {
        List<JsonDraft> drafts = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            drafts.add(JsonDraft.of(lines.get(i).json(i)));
        }
        store.recordAll(drafts);
    }

    private static List<Entry> entries(XMemStore store) {
        return store.search(Query.all().kind(Entry.Kind.FAILURE).tokenBudget(1_000_000)).matches().stream()
                .map(match -> match.entry())
                .toList();
    }

    /** Every id with the line that stands for it now. */
    private static Map<String, Map<String, Object>> coverings(XMemStore store) {
        Map<String, Map<String, Object>> lines = new HashMap<>();
        for (Entry entry : entries(store)) {
            Map<String, Object> line = Json.object(entry.json());
            lines.put(entry.id(), line);
            texts(line, "covers").forEach(id -> lines.put(id, line));
        }
        return lines;
    }

    private static void assertKnows(Map<String, Object> now, Map<String, Object> then) {
        assertThat(texts(now, "tried_also")).containsAll(texts(then, "tried_also"));
        assertThat(texts(now, "tags")).containsAll(texts(then, "tags"));
        Set<Object> advice = new HashSet<>(texts(now, "further_advice"));
        advice.add(Objects.toString(now.get("pattern_avoid")));
        Set<Object> sessions = new HashSet<>(texts(now, "sessions"));
        sessions.add(Objects.toString(now.get("session_id")));
        if (then.get("pattern_avoid") != null) {
            assertThat(advice).contains(then.get("pattern_avoid"));
        }
        if (then.get("session_id") != null) {
            assertThat(sessions).contains(then.get("session_id"));
        }
        if (then.get("notes") != null) {
            assertThat(Objects.toString(now.get("notes")).split("\n")).contains((String) then.get("notes"));
        }
        if ("critical".equals(then.get("block_level"))) {
            assertThat(now).containsEntry("block_level", "critical");
        }
        assertThat(now).containsEntry("ctx_hash", then.get("ctx_hash"));
        assertThat(now.get("subject")).isEqualTo(then.get("subject"));
    }

    private static List<String> texts(Map<String, Object> line, String field) {
        return line.get(field) instanceof List<?> list
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }
}
