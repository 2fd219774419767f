package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Folds directives, and keeps the last book for as long as no line is added. Thread-safe. */
public final class DirectiveReader {
    private final EntryReader entries;
    private final LineCodec codec;
    private final Outcomes outcomes;
    private volatile @Nullable Known known;

    /** Directives read with this reader; those that were dismissed or superseded do not hold. */
    public DirectiveReader(EntryReader entries, LineCodec codec, Outcomes outcomes) {
        this.entries = entries;
        this.codec = codec;
        this.outcomes = outcomes;
    }

    /** Where directives stand in a snapshot, and what they are; other logs are empty. */
    private record Known(List<Optional<LogSnapshot>> views, AmendmentIndex amended, ActiveDirectives book) {}

    /** The directives of a snapshot. */
    public ActiveDirectives book(StoreSnapshot snapshot) throws IOException {
        List<Optional<LogSnapshot>> views = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            views.add(log.index().kind() == Entry.Kind.DIRECTIVE ? Optional.of(log) : Optional.empty());
        }
        AmendmentIndex amended = outcomes.ledger(snapshot);
        Known last = known;
        if (last == null || !last.views.equals(views) || !last.amended.equals(amended)) {
            last = new Known(views, amended, read(snapshot));
            known = last;
        }
        return last.book;
    }

    private ActiveDirectives read(StoreSnapshot snapshot) throws IOException {
        Map<String, DirectiveFold> folds = new LinkedHashMap<>();
        for (int log = 0; log < snapshot.logs().size(); log++) {
            LogSnapshot view = snapshot.logs().get(log);
            for (int ordinal = 0; view.index().kind() == Entry.Kind.DIRECTIVE && ordinal < view.count(); ordinal++) {
                if (entries.entry(view.index(), ordinal) instanceof Directive directive) {
                    folds.computeIfAbsent(key(directive), k -> new DirectiveFold())
                            .add(log, ordinal, directive);
                }
            }
        }
        Map<FoldedDirective, DirectiveFold> all = new HashMap<>();
        Map<String, Directive> byId = new HashMap<>();
        for (DirectiveFold fold : folds.values()) {
            FoldedDirective folded = fold.folded(codec, false);
            byId.put(folded.directive().id(), amended(snapshot, folded.directive()));
            if (holds(
                    folded.directive(),
                    outcomes.state(snapshot, folded.directive().id()))) {
                all.put(folded, fold);
            }
        }
        return book(snapshot, all, byId);
    }

    /** Not so where it was dismissed and not said again since, or superseded. */
    private static boolean holds(Directive directive, EntryState state) {
        boolean saidAgain = directive.ts().toEpochMilli() > state.dismissedMillis();
        return state.supersededBy() == null && (state.dismissed() == null || saidAgain);
    }

    private Directive amended(StoreSnapshot snapshot, Directive directive) throws IOException {
        return (Directive) outcomes.folded(snapshot, directive);
    }

    private ActiveDirectives book(
            StoreSnapshot snapshot, Map<FoldedDirective, DirectiveFold> all, Map<String, Directive> byId)
            throws IOException {
        if (all.isEmpty()) {
            return new ActiveDirectives(List.of(), byId);
        }
        ConflictResolver.Outcome outcome = ConflictResolver.settle(all.keySet());
        Collection<FoldedDirective> live = new HashSet<>();
        for (FoldedDirective winner : outcome.winners()) {
            DirectiveFold fold = all.get(winner);
            boolean ambiguous = outcome.ambiguous().contains(winner);
            FoldedDirective folded = ambiguous && fold != null ? fold.folded(codec, true) : winner;
            FoldedDirective shown =
                    new FoldedDirective(folded.log(), folded.ordinal(), amended(snapshot, folded.directive()));
            live.add(shown);
            byId.put(shown.directive().id(), shown.directive());
        }
        return new ActiveDirectives(live, byId);
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
        DirectiveFold fold = new DirectiveFold();
        Set<Directive> found = new HashSet<>();
        for (int log = 0; log < logs.size(); log++) {
            Postings lines = logs.get(log).lines().postings(IndexedField.DEDUPE_KEY, key);
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
