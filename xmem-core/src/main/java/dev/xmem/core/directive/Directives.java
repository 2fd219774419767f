package dev.xmem.core.directive;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.core.index.EntryReader;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Postings;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.record.LineCodec;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Folds directives, and keeps the last book for as long as no line is added. Thread-safe. */
public final class Directives {
    private final EntryReader entries;
    private final LineCodec codec;
    private volatile @Nullable Known known;

    /** Directives read with this reader. */
    public Directives(EntryReader entries, LineCodec codec) {
        this.entries = entries;
        this.codec = codec;
    }

    private record Known(List<LogView> views, Book book) {}

    /** The directives of a snapshot. */
    public Book book(Snapshot snapshot) throws IOException {
        List<LogView> views = snapshot.logs().stream()
                .filter(view -> view.index().kind() == Entry.Kind.DIRECTIVE)
                .toList();
        Known last = known;
        if (last == null || !last.views.equals(views)) {
            last = new Known(views, read(snapshot));
            known = last;
        }
        return last.book;
    }

    private Book read(Snapshot snapshot) throws IOException {
        Map<String, Fold> folds = new LinkedHashMap<>();
        for (int log = 0; log < snapshot.logs().size(); log++) {
            LogView view = snapshot.logs().get(log);
            for (int ordinal = 0; view.index().kind() == Entry.Kind.DIRECTIVE && ordinal < view.count(); ordinal++) {
                if (entries.entry(view.index(), ordinal) instanceof Directive directive) {
                    folds.computeIfAbsent(key(directive), k -> new Fold()).add(log, ordinal, directive);
                }
            }
        }
        Map<Folded, Fold> all = new HashMap<>();
        folds.values().forEach(fold -> all.put(fold.folded(codec, false), fold));
        return book(all);
    }

    private Book book(Map<Folded, Fold> all) {
        Conflicts.Outcome outcome = Conflicts.settle(all.keySet());
        Map<String, Directive> byId = new HashMap<>();
        all.keySet().forEach(folded -> byId.put(folded.directive().id(), folded.directive()));
        Collection<Folded> live = new HashSet<>();
        for (Folded winner : outcome.winners()) {
            Fold fold = all.get(winner);
            boolean ambiguous = outcome.ambiguous().contains(winner);
            Folded shown = ambiguous && fold != null ? fold.folded(codec, true) : winner;
            live.add(shown);
            byId.put(shown.directive().id(), shown.directive());
        }
        return new Book(live, byId);
    }

    private static String key(Directive directive) {
        String key = directive.dedupeKey().isEmpty() ? directive.id() : directive.dedupeKey();
        return directive.scope() + "|" + key;
    }

    /**
     * The directive that lines of these logs with a scope and a dedupe key make together; null if there is none. For the
     * thread that adds lines, which sees all of them.
     */
    public @Nullable Directive withKey(List<LogIndex> logs, Directive.Scope scope, String key) throws IOException {
        Fold fold = new Fold();
        Set<Directive> found = new HashSet<>();
        for (int log = 0; log < logs.size(); log++) {
            Postings lines = logs.get(log).withDedupeKey(key);
            for (int i = 0; i < lines.countBelow(Integer.MAX_VALUE); i++) {
                if (entries.entry(logs.get(log), lines.at(i)) instanceof Directive line && line.scope() == scope) {
                    fold.add(log, lines.at(i), line);
                    found.add(line);
                }
            }
        }
        return found.isEmpty() ? null : fold.folded(codec, false).directive();
    }
}
