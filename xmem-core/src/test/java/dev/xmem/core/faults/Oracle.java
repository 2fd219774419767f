package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a store must hold, in the simplest words. */
final class Oracle {
    /** Failures, successes and notes: id to line. */
    final Map<String, String> lines = new TreeMap<>();
    /** Directives: sentence to strength. */
    final Map<String, Integer> directives = new TreeMap<>();
    /** Entry and session. */
    final Set<String> votes = new HashSet<>();

    final Set<String> dismissed = new HashSet<>();

    String some(int n) {
        List<String> ids =
                lines.keySet().stream().filter(id -> id.startsWith("20")).toList();
        return ids.isEmpty() ? "" : ids.get(n % ids.size());
    }

    void agreesWith(XMemStore store) {
        Map<String, String> shown = new TreeMap<>();
        Map<String, Integer> said = new TreeMap<>();
        for (Entry entry : all(store)) {
            if (entry instanceof Directive directive) {
                said.put(directive.canonical(), directive.strength());
            } else {
                assertThat(shown.put(entry.id(), entry.json()))
                        .as("twice: " + entry.id())
                        .isNull();
            }
        }
        Map<String, String> expected = new TreeMap<>(lines);
        expected.keySet().removeAll(dismissed);
        // A voted entry is shown with its votes, in whatever form; the others as their lines.
        for (String id : voted()) {
            expected.computeIfPresent(id, (same, line) -> Objects.requireNonNull(shown.get(id)));
            assertThat(shown.getOrDefault(id, "\"worked\":" + votes(id) + ","))
                    .contains("\"worked\":" + votes(id) + ",");
        }
        assertThat(shown).isEqualTo(expected);
        assertThat(said).isEqualTo(directives);
        lines.forEach((id, line) -> assertThat(store.find(id)).isPresent());
    }

    private Set<String> voted() {
        Set<String> voted = new TreeSet<>();
        votes.forEach(vote -> voted.add(vote.substring(0, vote.indexOf(' '))));
        return voted;
    }

    private long votes(String id) {
        return votes.stream().filter(vote -> vote.startsWith(id + " ")).count();
    }

    /** All that a store shows. */
    static List<Entry> all(XMemStore store) {
        List<Entry> entries = new ArrayList<>();
        Page page = store.search(Query.all().limit(70).tokenBudget(1_000_000));
        while (true) {
            page.matches().stream().map(Match::entry).forEach(entries::add);
            if (page.cursor() == null) {
                assertThat(entries).hasSize((int) page.total());
                return entries;
            }
            page = store.search(Query.all().limit(70).tokenBudget(1_000_000).after(page.cursor()));
        }
    }
}
