package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.EntryDraft;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.InMemoryFileSystem;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Phrases of words that nearly every entry has, present, absent and far back, against a scan of every text. */
class CommonPhrasesPropertyTest {
    private static final List<String> WORDS = List.of(
            "the", "and", "that", "with", "not", "in", "a", "test", "path", "config", "The", "without", "on", "érr",
            "日本");
    private static final List<String> BETWEEN =
            List.of(" ", " ", " ", " ", " ", " ", "  ", ", ", "-", "\\n", "\\\"", " \\u0061");
    private static final int STRETCH_LINES = 64;
    private static final int LIMIT = 50;

    private final Random random = new Random();

    private static XMemStore open(InMemoryFileSystem disk, int stretchLines) {
        return TestStores.withSegmentLines(TestStores.builder(Path.of("/phrases"), disk), stretchLines)
                .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
                .durability(Durability.OS)
                .open();
    }

    private String words(int count, List<String> between) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : between.get(random.nextInt(between.size())));
            text.append(WORDS.get(WORDS.size() * random.nextInt(100) * random.nextInt(100) / 10_000));
        }
        return text.toString();
    }

    private List<String> asked(List<String> texts) {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            asked.add(words(2 + random.nextInt(4), List.of(" ")));
            String text = texts.get(random.nextInt(1 + random.nextInt(texts.size())));
            int from = random.nextInt(text.length());
            asked.add(text.substring(from, Math.min(text.length(), from + 4 + random.nextInt(24))));
        }
        // a text with a space is in no other field
        asked.removeIf(text -> text.indexOf(' ') < 0);
        return asked;
    }

    private static void check(XMemStore store, List<String> texts, List<String> asked) {
        for (String text : asked) {
            List<String> expected = new ArrayList<>();
            for (int i = texts.size() - 1; i >= 0; i--) {
                if (texts.get(i).contains(text)) {
                    expected.add(texts.get(i));
                }
            }
            List<String> found = new ArrayList<>();
            for (Match match : store.search(Query.literal(text).limit(LIMIT).tokenBudget(1_000_000))
                    .matches()) {
                found.add(((Note) match.entry()).content());
            }
            assertThat(found).as(text).isEqualTo(expected.subList(0, Math.min(LIMIT, expected.size())));
        }
    }

    private void record(XMemStore store, int count, int mostWords, List<String> texts) {
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = words(3 + random.nextInt(mostWords - 2), BETWEEN) + " #" + (texts.size() + i);
            drafts.add(JsonDraft.of("{\"type\":\"note\",\"content\":\"" + text + "\"}"));
        }
        store.recordAll(drafts).forEach(entry -> texts.add(((Note) entry).content()));
    }

    @Property(tries = 40)
    void literals_ofCommonWords_areFoundInTheirEntries(@ForAll long seed) {
        random.setSeed(seed);
        InMemoryFileSystem disk = new InMemoryFileSystem();
        List<String> texts = new ArrayList<>();
        try (XMemStore store = open(disk, STRETCH_LINES)) {
            record(store, 5 * STRETCH_LINES / 2, 14, texts);
            check(store, texts, asked(texts));
            store.verify();
            check(store, texts, asked(texts));
        }
        try (XMemStore store = open(disk, STRETCH_LINES)) {
            check(store, texts, asked(texts));
            store.search(Query.words("path"));
            check(store, texts, asked(texts));
        }
    }

    /** Enough entries that the index knows their common words before it seals a segment. */
    @Property(tries = 2)
    void literals_ofCommonWords_areFoundInManyNewLines(@ForAll long seed) {
        random.setSeed(seed);
        List<String> texts = new ArrayList<>();
        try (XMemStore store = open(new InMemoryFileSystem(), 1 << 15)) {
            for (int lines : new int[] {600, 500, 7}) {
                record(store, lines, 150, texts);
                check(store, texts, asked(texts));
                check(store, texts, asked(texts));
            }
        }
    }
}
