package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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

    private static List<String> all(XMemStore store, Query query) {
        List<String> ids = new ArrayList<>();
        Page page = store.search(query.limit(70));
        for (; !page.matches().isEmpty(); page = store.search(query.limit(70).offset(ids.size()))) {
            page.matches().stream().map(match -> match.entry()).map(Entry::id).forEach(ids::add);
        }
        return ids;
    }
}
