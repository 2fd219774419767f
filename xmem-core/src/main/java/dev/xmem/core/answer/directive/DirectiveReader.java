package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and folds the directives, resolves their conflicts, and caches the result until a line is added. Thread-safe.
 */
public final class DirectiveReader {
    private final EntryReader entries;
    private final Outcomes outcomes;
    private volatile @Nullable Cached cached;

    public DirectiveReader(EntryReader entries, Outcomes outcomes) {
        this.entries = entries;
        this.outcomes = outcomes;
    }

    /** The active directives of these logs; a log of another kind is empty. */
    private record Cached(List<Optional<LogSnapshot>> logs, AmendmentIndex amendments, ActiveDirectives active) {}

    /** The active directives of a snapshot. */
    public ActiveDirectives active(StoreSnapshot snapshot) throws IOException {
        List<Optional<LogSnapshot>> logs = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            logs.add(log.index().kind() == Entry.Kind.DIRECTIVE ? Optional.of(log) : Optional.empty());
        }
        AmendmentIndex amendments = outcomes.amendments(snapshot);
        Cached last = cached;
        if (last == null || !last.logs.equals(logs) || !last.amendments.equals(amendments)) {
            last = new Cached(logs, amendments, resolve(snapshot, read(snapshot)));
            cached = last;
        }
        return last.active;
    }

    private List<FoldedDirective> read(StoreSnapshot snapshot) throws IOException {
        Map<String, FoldedDirective.Lines> folds = new LinkedHashMap<>();
        for (int log = 0; log < snapshot.logs().size(); log++) {
            LogSnapshot view = snapshot.logs().get(log);
            for (int ordinal = 0; view.index().kind() == Entry.Kind.DIRECTIVE && ordinal < view.count(); ordinal++) {
                if (view.shows(ordinal) && entries.entry(view.index(), ordinal) instanceof Directive directive) {
                    folds.computeIfAbsent(key(directive), k -> new FoldedDirective.Lines())
                            .add(log, ordinal, directive);
                }
            }
        }
        List<FoldedDirective> folded = new ArrayList<>(folds.size());
        for (FoldedDirective.Lines fold : folds.values()) {
            folded.add(fold.folded(outcomes));
        }
        return folded;
    }

    private ActiveDirectives resolve(StoreSnapshot snapshot, List<FoldedDirective> all) throws IOException {
        if (all.isEmpty()) {
            return new ActiveDirectives(List.of(), Map.of());
        }
        Map<String, Directive> byId = new HashMap<>();
        List<FoldedDirective> candidates = new ArrayList<>();
        for (FoldedDirective folded : all) {
            Directive directive = folded.directive();
            EntryState state = outcomes.state(snapshot, directive.id());
            byId.put(directive.id(), (Directive) outcomes.folded(directive, state));
            boolean repeatedSince = folded.millis() > state.dismissedMillis();
            if (state.supersededBy() == null && (state.dismissed() == null || repeatedSince)) {
                candidates.add(folded);
            }
        }
        List<FoldedDirective> active = new ArrayList<>();
        Map<FoldedDirective, Boolean> winners = winners(candidates);
        for (Map.Entry<FoldedDirective, Boolean> winner : winners.entrySet()) {
            FoldedDirective folded = winner.getKey();
            boolean undecided = winner.getValue();
            Directive directive = undecided ? folded.withConflict(outcomes) : folded.directive();
            Directive amended = (Directive) outcomes.folded(snapshot, directive);
            active.add(new FoldedDirective(folded.log(), folded.ordinal(), amended));
            byId.put(amended.id(), amended);
        }
        confirmConflicts(candidates, winners.keySet(), byId);
        return new ActiveDirectives(active, byId);
    }

    /** Lets the confirmation of each directive that contradicts another one say which of them holds. */
    private static void confirmConflicts(
            List<FoldedDirective> all, Set<FoldedDirective> winners, Map<String, Directive> byId) {
        Map<String, List<FoldedDirective>> byTopic =
                all.stream().collect(Collectors.groupingBy(FoldedDirective::topic));
        for (FoldedDirective folded : all) {
            boolean holds = winners.contains(folded);
            List<FoldedDirective> others = byTopic.getOrDefault(folded.topic(), List.of()).stream()
                    .filter(other -> !other.object().equals(folded.object()))
                    .toList();
            Optional<String> lost = others.stream()
                    .filter(winners::contains)
                    .min(Comparator.comparing(winner -> winner.directive().id()))
                    .map(winner -> winner.confirmationAgainst(folded, holds));
            Optional<String> won = others.stream()
                    .filter(other -> holds)
                    .max(Comparator.comparingLong(FoldedDirective::millis))
                    .map(folded::confirmationOver);
            lost.or(() -> won)
                    .ifPresent(said -> byId.computeIfPresent(
                            folded.directive().id(), (key, directive) -> StoredEntries.confirmedWith(directive, said)));
        }
    }

    /** The directives that win their conflicts, as the package says; true for those whose conflict no rule decides. */
    private static Map<FoldedDirective, Boolean> winners(List<FoldedDirective> all) {
        Map<FoldedDirective, Boolean> winners = new HashMap<>();
        for (List<FoldedDirective> group : all.stream()
                .collect(Collectors.groupingBy(FoldedDirective::topic))
                .values()) {
            List<FoldedDirective> local = group.stream()
                    .filter(f -> f.directive().scope() == Directive.Scope.LOCAL)
                    .toList();
            List<FoldedDirective> left = winnersOfOneScope(local.isEmpty() ? group : local);
            boolean undecided = contradict(left);
            left.forEach(f -> winners.put(f, undecided));
        }
        return winners;
    }

    private static List<FoldedDirective> winnersOfOneScope(List<FoldedDirective> group) {
        List<FoldedDirective> constraints =
                group.stream().filter(FoldedDirective::isConstraint).toList();
        if (!contradict(group)) {
            return group;
        } else if (!constraints.isEmpty()) {
            return constraints;
        }
        long newest = group.stream().mapToLong(FoldedDirective::millis).max().orElse(0);
        return group.stream().filter(f -> f.millis() == newest).toList();
    }

    private static boolean contradict(List<FoldedDirective> group) {
        return group.stream().map(FoldedDirective::object).distinct().count() > 1;
    }

    private static String key(Directive directive) {
        String key = directive.dedupeKey().isEmpty() ? directive.id() : directive.dedupeKey();
        return directive.scope() + "|" + key;
    }

    /**
     * The directive with a scope and a dedupe key, folded from the lines of these logs; null if there is none. For the
     * writer, which sees every line.
     */
    public @Nullable Directive withKey(List<LogIndex> logs, Directive.Scope scope, String key) throws IOException {
        FoldedDirective.Lines fold = new FoldedDirective.Lines();
        for (int log = 0; log < logs.size(); log++) {
            Postings lines = logs.get(log).lines().postings(IndexedField.DEDUPE_KEY, key);
            for (int i = 0; i < lines.countBelow(Integer.MAX_VALUE); i++) {
                if (entries.entry(logs.get(log), lines.at(i)) instanceof Directive line && line.scope() == scope) {
                    fold.add(log, lines.at(i), line);
                }
            }
        }
        return fold.isEmpty() ? null : fold.folded(outcomes).directive();
    }
}
