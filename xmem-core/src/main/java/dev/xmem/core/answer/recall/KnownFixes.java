package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.recall.FamilyDigest.Line;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the successes that answer failures: those that name one, then those with its context hash. A recorded retry
 * that does the same work as the failed call is none: it differs only in what reads the output. Neither is one whose
 * change the call of the query has already, or one that is about something else and cannot be carried over. Equal fixes
 * are one; a fix that is equal to a dismissed one is dismissed. For one recall.
 * Decision: docs/adr/0128-fixes-about-one-subject.md.
 */
final class KnownFixes {
    private static final double LINKED = 0.8;

    /** Below any other fix of the family, whatever the evidence adds. */
    private static final double CARRIED_OVER = 0.4;

    /** The most answers that are read: of one failure, and of all. Older answers are left out. */
    private static final int MAX_OF_ONE = 16;

    private static final int MAX_READ = 210;

    private final RecallContext context;
    private final RecallQuery query;
    private final List<Failure> failures = new ArrayList<>();
    private final List<Candidate> fixes = new ArrayList<>();
    /** What the linked fixes and those of the family say as they are stored, by id. */
    private final Map<String, String> stored = new HashMap<>();

    private final Set<String> dismissed = new HashSet<>();
    private final Lazy<RecallQuery.Words> words;
    private int read;
    private boolean ofCall;

    private KnownFixes(RecallContext context, RecallQuery query, List<Candidate> failures) {
        this.context = context;
        this.query = query;
        this.words = new Lazy<>(query::words);
        for (Candidate candidate : failures) {
            if (candidate.entry() instanceof Failure failure) {
                this.failures.add(failure);
            }
        }
    }

    static KnownFixes of(RecallContext context, RecallQuery query, List<Candidate> failures, FailureFamily family)
            throws IOException {
        KnownFixes found = new KnownFixes(context, query, failures);
        for (Candidate failure : found.areLinked() ? failures : List.<Candidate>of()) {
            String id = failure.entry().id();
            found.addLinked(id);
            for (String covered : context.outcomes().coveredBy(context.snapshot(), id)) {
                found.addLinked(covered);
            }
            for (String replaced : context.amendments().replacedBy(id)) {
                found.addLinked(replaced);
            }
        }
        for (Line line : family.successes()) {
            if (!found.stored.containsKey(line.entry().id())) {
                Entry told = line.retry() ? found.told(line.entry()) : line.entry();
                if (told != null) {
                    found.stored.put(told.id(), text(line.entry()));
                    found.fixes.add(
                            told.equals(line.entry()) ? family.fix(line) : found.carriedOver(told, line.occurrence()));
                }
            }
        }
        found.fixes.removeIf(fix -> found.dismissed.contains(text(fix.entry()))
                || found.dismissed.contains(found.stored.get(fix.entry().id())));
        return found;
    }

    List<Candidate> candidates() {
        return merged(fixes);
    }

    /** Equal fixes as one, with the votes on all of them. */
    static List<Candidate> merged(List<Candidate> fixes) {
        Map<String, Candidate> merged = new LinkedHashMap<>();
        fixes.forEach(fix -> merged.merge(text(fix.entry()), fix, Candidate::and));
        return new ArrayList<>(merged.values());
    }

    /** What a fix says: of a recorded retry, without the call that was tried again, unless its name is cut. */
    private static String text(Entry entry) {
        if (!(entry instanceof Success success)) {
            return entry.id();
        }
        int again =
                RecallQuery.isMarkedAsRetry(success) && !success.patternName().endsWith(TextSanitizer.CUT_MARK) ? 1 : 0;
        List<String> steps = success.keySteps();
        return success.patternName() + '\n' + String.join("\n", steps.subList(0, Math.max(0, steps.size() - again)));
    }

    /** Whether another call with the same hash may have other fixes. */
    boolean dependOnCall() {
        return ofCall;
    }

    /**
     * The success as the recall tells it: a fix for another subject has the subject of the query's failure in place of
     * its own. Null if the entry is no success, if the fix cannot be carried over, or if it does only the work of a
     * call that failed or of the query's call.
     */
    private @Nullable Success told(Entry entry) {
        ofCall = true;
        if (!(entry instanceof Success success) || RecallQuery.isRetry(success) && repeats(success)) {
            return null;
        }
        Map<String, String> values =
                RecallQuery.isAboutOne(success) ? query.carriesOver(success, words.get()) : Map.of();
        Success told = values == null || values.isEmpty() ? success : carriedOver(success, values);
        boolean useless = values == null || told == null || RecallQuery.isNoAdvice(told, query.tool(), query.action());
        return useless ? null : told;
    }

    /** A recorded retry with other values; null if they are also parts of its words, or a step destroys something. */
    private @Nullable Success carriedOver(Success retry, Map<String, String> values) {
        List<String> texts = new ArrayList<>(List.of(retry.patternName(), retry.criticalParams()));
        texts.addAll(retry.keySteps());
        boolean again = retry.patternName().startsWith(RecallQuery.FIRST)
                && retry.keySteps().size() > 1;
        if (again) { // the same call was repeated: here it is another one
            texts.set(texts.size() - 1, RecallQuery.line(query.tool(), query.action()));
        }
        for (int i = 0; i < texts.size() - (again ? 1 : 0); i++) {
            String text = RecallQuery.replaced(texts.get(i), values);
            if (text == null || i >= 2 && RecallQuery.destroys(texts.get(i))) {
                return null;
            }
            texts.set(i, text);
        }
        return (Success) context.outcomes().rewritten(retry, retry.id(), fields -> {
            fields.put("pattern_name", texts.get(0));
            fields.put("critical_params", new RawJson(texts.get(1)));
            fields.put("key_steps", texts.subList(2, texts.size()));
        });
    }

    private boolean repeats(Success retry) {
        String action = StoredEntries.field(retry, "action");
        String retried = action != null ? action : String.join("", retry.keySteps());
        List<Failure> answered = failures.stream()
                .filter(failure -> retry.answers().contains(failure.id()))
                .toList();
        return (answered.isEmpty() ? failures : answered)
                .stream()
                        .filter(failure -> failure.ctxHash().equals(retry.ctxHash())
                                && failure.tool().equals(retry.tool()))
                        .anyMatch(failure -> CommandLine.isSameWork(retry.tool(), failure.action(), retried));
    }

    /** Whether any line names a failure that it answers. */
    private boolean areLinked() {
        for (LogSnapshot log : context.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                return true;
            }
        }
        return false;
    }

    private void addLinked(String failureId) throws IOException {
        for (LogSnapshot log : context.snapshot().logs()) {
            if (log.index().lines().has(IndexedField.ANSWERED)) {
                addLinked(log, log.index().naming(IndexedField.ANSWERED, failureId), "it answers " + failureId);
            }
        }
    }

    private void addLinked(LogSnapshot log, Postings lines, String why) throws IOException {
        int until = Math.min(MAX_READ, read + MAX_OF_ONE);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0 && read < until; i--, read++) {
            int ordinal = lines.at(i);
            Occurrence line = context.line(log.index(), ordinal);
            Entry told = stored.containsKey(line.entry().id()) ? null : told(line.entry());
            if (told != null && context.shows(log, ordinal)) {
                stored.put(told.id(), text(line.entry()));
                fixes.add(
                        told.equals(line.entry())
                                ? context.candidate(line, Match.MatchType.ANSWER, LINKED, why, 1)
                                : carriedOver(told, line));
            } else if (line.owner().own()
                    && told instanceof Success retry
                    && RecallQuery.isMarkedAsRetry(retry)
                    && context.state(retry).dismissed() != null) {
                dismissed.add(text(line.entry()));
            }
        }
    }

    /** A fix of another subject counts as one of a similar failure. */
    private Candidate carriedOver(Entry told, Occurrence line) throws IOException {
        Occurrence as = new Occurrence(told, line.millis(), line.occurrences(), line.owner(), line.trust());
        String why = "carried over from a failure about something else";
        return context.candidate(as, Match.MatchType.SIMILAR, CARRIED_OVER, why, 1);
    }
}
