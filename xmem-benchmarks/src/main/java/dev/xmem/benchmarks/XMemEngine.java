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
 * xmem through its public API, by its default settings but for the hasher. It remembers pages that were asked for before;
 * only where that is measured a question is asked twice in the same words.
 */
final class XMemEngine implements Engine {
    private static final int BATCH = 1000;
    private static final long SEALING_MILLIS = 500;

    @Override
    public String name() {
        return "xmem";
    }

    @Override
    public Set<Ask> asks() {
        return EnumSet.allOf(Ask.class);
    }

    /** Records the lines in batches, and fails unless the bytes on disk are those of the corpus. */
    @Override
    public void fill(Path folder, History history) throws Exception {
        Given given = new Given(List.of());
        CRC32C failures = new CRC32C();
        CRC32C successes = new CRC32C();
        try (XMemStore store = XMem.builder(folder).hasher(given).open()) {
            history.each(chunk -> {
                chunk.forEach(stored -> given.add(stored.item()));
                for (int from = 0; from < chunk.size(); from += BATCH) {
                    store.recordAll(drafts(chunk.subList(from, Math.min(chunk.size(), from + BATCH))));
                }
                for (Stored stored : chunk) {
                    (stored.item().isFailure() ? failures : successes)
                            .update((stored.line() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            });
        }
        same(failures, Logs.of(folder, Entry.Kind.FAILURE));
        same(successes, Logs.of(folder, Entry.Kind.SUCCESS));
        settle(folder, new Given(List.of()));
    }

    private static List<EntryDraft> drafts(List<Stored> lines) {
        List<EntryDraft> drafts = new ArrayList<>(lines.size());
        lines.forEach(stored -> drafts.add(JsonDraft.of(stored.line())));
        return drafts;
    }

    private static void same(CRC32C expected, Path log) throws IOException {
        CRC32C found = new CRC32C();
        try (InputStream in = new CheckedInputStream(new BufferedInputStream(Files.newInputStream(log)), found)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        if (found.getValue() != expected.getValue()) {
            throw new IllegalStateException(log + " does not hold the bytes of the corpus");
        }
    }

    /** Opens the store and asks it until its index is written. */
    static void settle(Path folder, @Nullable Given hasher) throws Exception {
        XMem.Builder builder = XMem.builder(folder);
        try (XMemStore store = (hasher == null ? builder : builder.hasher(hasher)).open()) {
            long before = -1;
            for (long now = 0; now != before; now = Logs.bytes(folder)) {
                before = now;
                store.search(Query.literal("nothing has this").limit(1));
                store.search(Query.words("nothing").limit(1));
                store.flush();
                Thread.sleep(SEALING_MILLIS);
            }
        }
    }

    @Override
    public Answers open(Path folder) {
        return new Open(XMem.builder(folder).hasher(new Given(List.of())).open());
    }

    private static final class Open implements Answers {
        /** Above what any page costs; with another number a question is another one, and its answer is the same. */
        private static final int BUDGET = 1_000_000;

        private final XMemStore store;
        private int asked;

        Open(XMemStore store) {
            this.store = store;
        }

        @Override
        public List<String> ids(Question question) throws GaveUp {
            Query query = query(question)
                    .limit(question.ask().limit())
                    .tokenBudget(question.ask().again() ? BUDGET : BUDGET + (++asked & 0xFFFFFF));
            try {
                return parsed(store.search(query).matches());
            } catch (XMemException.Syntax e) {
                throw new GaveUp(e);
            }
        }

        private static Query query(Question question) {
            String text = question.text();
            return switch (question.ask().kind()) {
                case HASH -> Query.all().ctxHash(text);
                case LITERAL -> Query.literal(text);
                case REGEX -> Query.regex(text);
                case WORDS -> Query.words(text);
            };
        }

        /** Asks each entry for a field, which has all of them parsed. */
        private static List<String> parsed(List<Match> matches) {
            List<String> ids = new ArrayList<>(matches.size());
            for (Match match : matches) {
                if (match.entry().tags().isEmpty()) {
                    throw new IllegalStateException("every entry of the corpus has a tag");
                }
                ids.add(match.entry().id());
            }
            return ids;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
