package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a store must hold, in the simplest words. */
final class Oracle {
    static final String PINNED = "\"pinned\":true";

    /** Failures, successes and notes: id to line. */
    final Map<String, String> lines = new TreeMap<>();
    /** Directives: sentence to strength. */
    final Map<String, Integer> directives = new TreeMap<>();
    /** An outcome or an amendment: the id of its entry, what is shown with it, and the session of a vote. */
    final Set<Word> words = new HashSet<>();

    final Set<String> dismissed = new HashSet<>();
    /** Which entries are replaced, and what each was said to be replaced by. */
    final Map<String, TreeSet<String>> superseded = new TreeMap<>();
    /** Whether lines may have been made one. */
    boolean compacted;

    /** A vote by a session, or another word, which is shown with the entry as it stands here. */
    record Word(String id, String said, boolean vote) {}

    String some(int n) {
        List<String> ids =
                lines.keySet().stream().filter(id -> id.startsWith("20")).toList();
        return ids.isEmpty() ? "" : ids.get(n % ids.size());
    }

    /** The ids that a line stands for: its own, and those that it covers. */
    static Set<String> group(String line, String shownAs) {
        Map<String, Object> fields = Json.object(line);
        Set<String> group = new TreeSet<>(Set.of(String.valueOf(fields.getOrDefault("id", shownAs))));
        if (fields.get("covers") instanceof List<?> covers) {
            covers.forEach(id -> group.add(id.toString()));
        }
        return group;
    }

    void agreesWith(XMemStore store) {
        Map<String, String> shown = new TreeMap<>();
        Map<String, Integer> said = new TreeMap<>();
        for (Entry entry : all(store)) {
            if (entry instanceof Directive directive) {
                said.put(directive.canonical(), directive.strength());
            } else {
                for (String id : group(entry.json(), entry.id())) {
                    assertThat(shown.put(id, entry.json())).as("twice: " + id).isNull();
                }
            }
        }
        assertThat(said).isEqualTo(directives);
        Set<String> expected = new TreeSet<>();
        lines.forEach((id, line) -> {
            Entry entry = store.find(id).orElseThrow(() -> new AssertionError("lost: " + id));
            Set<String> group = group(entry.json(), entry.id());
            assertThat(group).contains(id).hasSizeLessThanOrEqualTo(compacted ? lines.size() : 1);
            if (!isHidden(group)) {
                expected.add(id);
                assertThat(shown).containsEntry(id, entry.json());
            }
            looksRight(entry.json(), group, line);
        });
        assertThat(shown.keySet()).isEqualTo(expected);
    }

    /**
     * The successor of an entry: of words of the same time the last in the order of their bytes. Empty if it has none.
     */
    String successor(Set<String> group) {
        TreeSet<String> all = new TreeSet<>(Comparator.comparing(id -> id + '"'));
        group.forEach(id -> all.addAll(superseded.getOrDefault(id, new TreeSet<>())));
        all.retainAll(lines.keySet()); // a missing entry replaces nothing
        return all.isEmpty() ? "" : all.last();
    }

    /** Of two amendments with the same time, pinning wins; a replaced entry stays hidden even so. */
    private boolean isHidden(Set<String> group) {
        return !successor(group).isEmpty() || isDismissed(group);
    }

    private boolean isDismissed(Set<String> group) {
        return group.stream().anyMatch(dismissed::contains)
                && group.stream().noneMatch(id -> words.contains(new Word(id, PINNED, false)));
    }

    private void looksRight(String shown, Set<String> group, String line) {
        List<Word> matching =
                words.stream().filter(word -> group.contains(word.id)).toList();
        if (group.size() == 1 && matching.isEmpty() && !isHidden(group)) {
            assertThat(shown).isEqualTo(line);
        }
        matching.stream()
                .filter(word -> !word.vote)
                .forEach(word -> assertThat(shown).contains(word.said));
        String successor = successor(group);
        assertThat(shown).contains(successor.isEmpty() ? "" : "\"superseded_by\":\"" + successor + "\"");
        long votes =
                matching.stream().filter(Word::vote).map(Word::said).distinct().count();
        assertThat(shown)
                .contains(votes == 0 ? "" : "\"worked\":" + votes + ",")
                .contains(mark(line));
    }

    /** What only this line has, and one that covers it. */
    private static String mark(String line) {
        int at = line.indexOf("\"mark ");
        return at < 0 ? "" : line.substring(at, line.indexOf('"', at + 1) + 1);
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
