package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * xmem through its public API with default settings, except for the hasher. The store caches pages; only {@link
 * QueryType#PAGE_AGAIN} repeats a query.
 */
final class XMemEngine implements Engine {
    private static final int BATCH = 1000;
    private static final long POLL_MILLIS = 500;

    private final String name;
    private final Query.Layout layout;

    XMemEngine() {
        this("xmem", Query.Layout.LIST);
    }

    /**
     * @param name {@code xmem}, {@code xmem-data}, or {@code xmem-field}, which reads only the tags of each entry
     * @param layout the layout of the pages: {@link Query.Layout#DATA} for entries without a text, as of the peers
     */
    XMemEngine(String name, Query.Layout layout) {
        this.name = name;
        this.layout = layout;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String formatName() {
        return "xmem";
    }

    @Override
    public Set<QueryType> supportedTypes() {
        return EnumSet.allOf(QueryType.class);
    }

    /** Records the lines in batches. Fails unless the bytes on disk are those of the corpus. */
    @Override
    public void fill(Path folder, Dataset dataset) throws Exception {
        PrecomputedHasher hasher = new PrecomputedHasher(List.of());
        CRC32C failures = new CRC32C();
        CRC32C successes = new CRC32C();
        try (XMemStore store = XMem.builder(folder).hasher(hasher).open()) {
            dataset.forEachChunk(chunk -> {
                chunk.forEach(stored -> hasher.add(stored.entry()));
                for (int from = 0; from < chunk.size(); from += BATCH) {
                    store.recordAll(drafts(chunk.subList(from, Math.min(chunk.size(), from + BATCH))));
                }
                for (StoredEntry stored : chunk) {
                    (stored.entry().isFailure() ? failures : successes)
                            .update((stored.line() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            });
        }
        checkBytes(failures, LogFiles.of(folder, Entry.Kind.FAILURE));
        checkBytes(successes, LogFiles.of(folder, Entry.Kind.SUCCESS));
        awaitIndex(folder, new PrecomputedHasher(List.of()));
    }

    private static List<EntryDraft> drafts(List<StoredEntry> lines) {
        List<EntryDraft> drafts = new ArrayList<>(lines.size());
        lines.forEach(stored -> drafts.add(JsonDraft.of(stored.line())));
        return drafts;
    }

    private static void checkBytes(CRC32C expected, Path log) throws IOException {
        CRC32C found = new CRC32C();
        try (InputStream in = new CheckedInputStream(new BufferedInputStream(Files.newInputStream(log)), found)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        if (found.getValue() != expected.getValue()) {
            throw new IllegalStateException(log + " does not hold the bytes of the corpus");
        }
    }

    /** Opens the store and queries it until the size of its index files is stable. */
    static void awaitIndex(Path folder, @Nullable PrecomputedHasher hasher) throws Exception {
        XMem.Builder builder = XMem.builder(folder);
        try (XMemStore store = (hasher == null ? builder : builder.hasher(hasher)).open()) {
            long before = -1;
            for (long now = 0; now != before; now = LogFiles.bytes(folder)) {
                before = now;
                store.search(Query.literal("nothing has this").limit(1));
                store.search(Query.words("nothing").limit(1));
                store.flush();
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    @Override
    public Searcher open(Path folder) {
        XMem.Builder builder = XMem.builder(folder).hasher(new PrecomputedHasher(List.of()));
        return new Open(builder.tokenBudget(Integer.MAX_VALUE).open(), layout, name.equals("xmem-field"));
    }

    private static final class Open implements Searcher {
        /** More than any page costs. A different budget makes a query new to the cache, with the same answer. */
        private static final int BUDGET = 1_000_000;

        private final XMemStore store;
        private final Query.Layout layout;
        private final boolean tagsOnly;
        private int queriesSent;

        Open(XMemStore store, Query.Layout layout, boolean tagsOnly) {
            this.store = store;
            this.layout = layout;
            this.tagsOnly = tagsOnly;
        }

        @Override
        public List<String> ids(TestQuery query) throws LimitExceeded {
            Query sent = translate(query)
                    .layout(layout)
                    .limit(query.type().limit())
                    .tokenBudget(query.type().repeated() ? BUDGET : BUDGET + (++queriesSent & 0xFFFFFF));
            try {
                List<Match> matches = store.search(sent).matches();
                return tagsOnly ? EntryFields.idsAfterTags(matches) : EntryFields.ids(matches);
            } catch (XMemException.Syntax e) {
                throw new LimitExceeded(e);
            }
        }

        private static Query translate(TestQuery query) {
            String text = query.text();
            return switch (query.type().kind()) {
                case HASH -> Query.all().ctxHash(text);
                case LITERAL -> Query.literal(text);
                case REGEX -> Query.regex(text);
                case WORDS -> Query.words(text);
            };
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
