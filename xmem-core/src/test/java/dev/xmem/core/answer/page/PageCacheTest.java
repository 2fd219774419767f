package dev.xmem.core.answer.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.EntryDraft;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageCacheTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z"));

    @Test
    void get_repeatedQuery_isTheSamePage() {
        try (XMemStore store = store(100)) {
            Page first = store.search(Query.words("push"));
            assertThat(store.search(Query.words("push"))).isSameAs(first);
        }
    }

    /** 12 pages of 70 lines of 30 KB are 25 MB of lines, and twice as much of fields: the cache has 16 MiB. */
    @Test
    void put_pagesOfLongLines_areWeighedByTheirLines() {
        try (XMemStore store = store(30_000)) {
            List<Page> first = pages(store);
            List<Page> second = pages(store);
            long kept = IntStream.range(0, first.size())
                    .filter(i -> first.get(i) == second.get(i))
                    .count();
            assertThat(kept).isLessThanOrEqualTo(2);
        }
    }

    private static XMemStore store(int length) {
        XMemStore store =
                XMem.inMemoryBuilder().clock(CLOCK).cacheBytes(16 << 20).open();
        List<EntryDraft> drafts = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            drafts.add(Note.of("note", "git push " + i + " " + "x ".repeat(length / 2)));
        }
        store.recordAll(drafts);
        return store;
    }

    private static List<Page> pages(XMemStore store) {
        return IntStream.range(0, 12)
                .mapToObj(i -> store.search(Query.words("push").tokenBudget(14_000 + i)))
                .toList();
    }
}
