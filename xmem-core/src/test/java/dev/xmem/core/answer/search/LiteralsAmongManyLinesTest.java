package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Literals that few of many lines have, with every JSON escape, when the scanner tests many lines at a time. */
class LiteralsAmongManyLinesTest {
    private static final int LINES = 1_500;
    private static final List<String> WRITTEN = List.of(
            "a say \\\"yes\\\" b",
            "say \\u0022yes\\u0022",
            "s\\u0061y \\\"yes\\\"",
            "say \\\"yes\\u0022 " + "long ".repeat(20_000));
    private static final List<String> OTHERS = List.of(
            "say yes", "say \\\\\\\"yes\\\\\\\"", "a\\tb", "\\u00e4 say", "other " + "words ".repeat(15_000), "");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 40, 400, 1_400})
    void search_literalOfSomeLines_areThese(int having, @TempDir Path directory) {
        Random random = new Random(having);
        List<Boolean> has = new ArrayList<>(Collections.nCopies(having, true));
        has.addAll(Collections.nCopies(LINES - having, false));
        Collections.shuffle(has, random);
        StringBuilder failures = new StringBuilder();
        StringBuilder notes = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            List<String> texts = has.get(i) ? WRITTEN : OTHERS;
            boolean isLong = random.nextInt(100) == 0;
            String text = texts.get(random.nextInt(isLong ? texts.size() : texts.size() - 1));
            boolean note = random.nextInt(5) == 0;
            String ts = Stores.NOW.minusSeconds(LINES - i).toString();
            (note ? notes : failures)
                    .append(
                            note
                                    ? "{\"type\":\"note\",\"content\":\""
                                    : "{\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"")
                    .append(text)
                    .append("\",\"id\":\"e" + i + "\",\"ts\":\"" + ts + "\"}\n");
            if (has.get(i)) {
                expected.add(0, "e" + i);
            }
        }
        Stores.appendRaw(directory, "failures.jsonl", failures.toString());
        Stores.appendRaw(directory, "notes.jsonl", notes.toString());
        try (XMemStore store = Stores.in(directory)) {
            assertThat(all(store, Query.literal("say \"yes\""))).isEqualTo(expected);
            assertThat(all(store, Query.regex("s[a]y \"yes\""))).isEqualTo(expected);
        }
    }

    /** A line is taken from the bytes that were tested, with the fields that were found in them. */
    @ParameterizedTest
    @ValueSource(strings = {"needle", "a needle", "n\u00e9edle"})
    void search_literal_entriesAreTheLinesAsTheyAre(String wanted, @TempDir Path directory) {
        Random random = new Random(5);
        Map<String, String> lines = new HashMap<>();
        StringBuilder failures = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            String error = (random.nextInt(3) == 0 ? "a thread " : "has a needle, a n\u00e9edle ")
                    + "x".repeat(random.nextInt(900));
            String line = "{\"id\":\"e" + i + "\",\"ts\":\"" + Stores.NOW.minusSeconds(400 - i)
                    + "\",\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"" + error + "\",\"tags\":[\"t" + i
                    + "\"]}";
            lines.put("e" + i, line);
            failures.append(line).append('\n');
        }
        Stores.appendRaw(directory, "failures.jsonl", failures.toString());
        try (XMemStore store = Stores.in(directory)) {
            Query query = Query.literal(wanted).layout(Query.Layout.DATA);
            for (int offset = 0; offset < 400; offset += Query.MAX_ENTRIES) {
                for (Match match : store.search(query.offset(offset)).matches()) {
                    Entry entry = match.entry();
                    assertThat(entry.json()).isEqualTo(lines.remove(entry.id()));
                    assertThat(((Failure) entry).error()).startsWith("has a needle");
                    assertThat(entry.tags()).containsExactly("t" + entry.id().substring(1));
                }
            }
            assertThat(lines.values()).noneMatch(line -> line.contains(wanted));
        }
    }

    /** With hidden lines before and behind the end of a segment, where a run of tested lines ends, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 90})
    void search_literalInManySegments_isInTheNewestLinesThatAreShown(int every, @TempDir Path directory)
            throws IOException {
        Random random = new Random(every);
        StringBuilder failures = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String text = i % every == 0 ? "a needle here" : "nothing";
            failures.append("{\"id\":\"e" + i + "\",\"ts\":\"" + Stores.NOW.minusSeconds(300 - i)
                    + "\",\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"" + text + "\"}\n");
            if (i % every == 0) {
                expected.add(0, "e" + i);
            }
        }
        Stores.appendRaw(directory, "failures.jsonl", failures.toString());
        try (XMemStore store =
                TestStores.builder(directory, 32).clock(() -> Stores.NOW).open()) {
            for (int i = 0; i < 300; i++) {
                if (i % 32 < 2 || i % 32 > 29 || random.nextInt(20) == 0) {
                    store.amend("e" + i, Amendment.dismiss("hidden"));
                    expected.remove("e" + i);
                }
            }
            assertThat(all(store, Query.literal("needle"))).isEqualTo(expected);
            assertThat(store.search(Query.literal("needle")).total()).isEqualTo(expected.size());
            assertThat(all(store, Query.literal("needle").tool("git"))).isEqualTo(expected);
            assertThat(all(store, Query.regex("need[l]e"))).isEqualTo(expected);
            store.flush();
            LogIndex log = TestStores.registry(store).whole().logs().get(0).index();
            Postings all = log.mayHold("needle").all();
            assertThat(inParts(log.mayHold("needle")))
                    .isEqualTo(all == null ? IntStream.range(0, 300).boxed().toList() : ordinals(all));
        }
    }

    /** The lines of all parts, of which each is older than the one before. */
    private static List<Integer> inParts(LogIndex.Candidates lines) throws IOException {
        List<Integer> all = new ArrayList<>();
        int parts = 0;
        for (Postings part = lines.older(); part != null; part = lines.older(), parts++) {
            List<Integer> some = ordinals(part);
            assertThat(all.isEmpty() || some.get(some.size() - 1) < all.get(0)).isTrue();
            all.addAll(0, some);
        }
        assertThat(parts).isGreaterThan(1);
        return all;
    }

    private static List<Integer> ordinals(Postings lines) {
        return IntStream.range(0, lines.countBelow(300)).map(lines::at).boxed().toList();
    }

    private static List<String> all(XMemStore store, Query query) {
        List<String> ids = new ArrayList<>();
        Page page = store.search(query.limit(70));
        for (; !page.matches().isEmpty(); page = store.search(query.limit(70).offset(ids.size()))) {
            page.matches().stream().map(match -> match.entry()).map(Entry::id).forEach(ids::add);
        }
        return ids;
    }
}
