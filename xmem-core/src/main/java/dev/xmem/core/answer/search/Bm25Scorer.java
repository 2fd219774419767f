package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scoring model of one query: BM25 over boosted fields, summed over the clauses, times a factor for the share of
 * the query that the entry answers, times a penalty if the query names a tool and the entry belongs to another.
 *
 * <p>Computed once from the statistics of all logs below their cutoffs; only saturations are cached as they occur.
 * Clauses have an order that does not depend on the segments, so every score is summed in the same order and is equal
 * to the bit wherever it is computed. One thread only.
 * Decision: docs/adr/0007-no-lucene.md.
 */
final class Bm25Scorer {
    /** An entry of at least this many words has this norm. */
    static final int MAX_NORM = 255;

    private static final int CACHED_WEIGHTS = 32;
    private static final int CACHED_COVERAGES = 10;
    /** No posting has a higher saturation. */
    static final double MAX_SATURATION = RankingParameters.K1 + 1;

    private final List<LogSlice> logs;
    private final Map<String, List<TextIndex.@Nullable TermPostings>> found = new HashMap<>();
    private final boolean deep;
    private final long entries;
    private final double averageLength;
    private final List<WeightedClause> clauses = new ArrayList<>();
    private final double totalImportance;
    private final double[] coverages;
    /** Of some clauses what the sum of their scores is multiplied by, see {@link #score}. */
    private final double[] factors;

    private final double[] saturations = new double[MAX_NORM * CACHED_WEIGHTS];

    /**
     * A clause with the statistics of its terms.
     *
     * @param bit the clause's bit in the set of clauses that an entry matches
     * @param terms the terms that occur in any log
     * @param tools the posting lists of entries of the tools that this clause names or describes, one for each segment
     * @param names the posting lists of entries that have the name that this clause gives, likewise
     * @param key the terms and their boosts, as a text
     * @param importance its part in the whole query
     * @param impact the most that it can add to a score
     */
    record WeightedClause(
            long bit,
            List<WeightedTerm> terms,
            List<List<TextIndex.@Nullable TermPostings>> tools,
            List<List<TextIndex.@Nullable TermPostings>> names,
            String key,
            double importance,
            double impact) {}

    /**
     * A term of a clause.
     *
     * @param postings its posting list in each segment, in the order of the logs and their segments
     * @param factor its boost times its inverse document frequency
     * @param cause whether it is a cause of failures, and no word
     */
    record WeightedTerm(List<TextIndex.@Nullable TermPostings> postings, double factor, boolean cause) {}

    Bm25Scorer(List<LogSlice> logs, List<ParsedQuery.Clause> query, boolean deep) {
        this.logs = logs;
        this.deep = deep;
        long allEntries = 0;
        long allWords = 0;
        for (LogSlice log : logs) {
            for (LogSlice.Part segment : log.segments()) {
                allEntries += segment.index().entriesBelow(log.cutoff(segment));
                allWords += segment.index().wordsBelow(log.cutoff(segment));
            }
        }
        entries = allEntries;
        averageLength = Math.max(1, (double) allWords / allEntries);
        double sum = 0;
        for (ParsedQuery.Clause clause : query) {
            WeightedClause weighted = weigh(clause, clauses.size());
            clauses.add(weighted);
            sum += weighted.importance;
        }
        totalImportance = sum;
        clauses.sort(Comparator.comparingDouble(WeightedClause::impact).reversed());
        coverages = new double[clauses.size() <= CACHED_COVERAGES ? 1 << clauses.size() : 0];
        for (int matched = 1; matched < coverages.length; matched++) {
            coverages[matched] = computeCoverage(matched);
        }
        factors = new double[coverages.length];
        for (int matched = 0; matched < factors.length; matched++) {
            factors[matched] = computeFactor(matched);
        }
    }

    private WeightedClause weigh(ParsedQuery.Clause clause, int number) {
        List<WeightedTerm> terms = new ArrayList<>();
        List<List<TextIndex.@Nullable TermPostings>> tools = new ArrayList<>();
        List<List<TextIndex.@Nullable TermPostings>> names = new ArrayList<>();
        StringBuilder key = new StringBuilder();
        double best = 0;
        for (Map.Entry<String, Double> term : clause.terms().entrySet()) {
            long count = documentFrequency(term.getKey());
            if (count > 0) {
                double boost = term.getValue() * clause.boost();
                double factor = boost * inverseDocumentFrequency(count);
                key.append(term.getKey()).append(' ').append(boost).append('\n');
                terms.add(new WeightedTerm(
                        postings(term.getKey()), factor, term.getKey().charAt(0) == '#'));
                best = Math.max(best, factor);
            }
            if (term.getValue() < RankingParameters.TOOL_NAME) {
                continue;
            }
            if (clause.name() && count > 0 && term.getKey().charAt(0) != '#') {
                names.add(postings(term.getKey()));
            }
            if (term.getKey().charAt(0) == '@' && count > 0) {
                tools.add(postings(term.getKey()));
            } else if (isTool(term.getKey())) {
                tools.add(postings("@" + term.getKey()));
            }
        }
        double importance = best > 0 || clause.composite()
                ? best
                : clause.boost()
                        * inverseDocumentFrequency(0)
                        * (clause.name() ? RankingParameters.UNKNOWN_NAME : RankingParameters.UNKNOWN);
        return new WeightedClause(1L << number, terms, tools, names, key.toString(), importance, best * MAX_SATURATION);
    }

    /** Whether a tool of this name has entries, and the word is not an ordinary one in descriptions of failures. */
    private boolean isTool(String term) {
        return !Lexicon.isWeak(term) && documentFrequency("@" + term) > 0;
    }

    private long documentFrequency(String term) {
        long count = 0;
        int number = 0;
        List<TextIndex.@Nullable TermPostings> lists = postings(term);
        for (LogSlice log : logs) {
            for (LogSlice.Part segment : log.segments()) {
                TextIndex.TermPostings postings = lists.get(number++);
                count += postings == null ? 0 : postings.count(log.cutoff(segment));
            }
        }
        return count;
    }

    /** The posting list of a term in each segment. */
    private List<TextIndex.@Nullable TermPostings> postings(String term) {
        return found.computeIfAbsent(term, t -> {
            List<TextIndex.@Nullable TermPostings> lists = new ArrayList<>();
            logs.forEach(log ->
                    log.segments().forEach(segment -> lists.add(segment.index().find(t))));
            return lists;
        });
    }

    private double inverseDocumentFrequency(long count) {
        return StrictMath.log(1 + (entries - count + 0.5) / (count + 0.5));
    }

    /**
     * The score of an entry, but for the factor of its tool. Grows with the sum and with the clauses, also by rounding.
     *
     * @param sum the sum of the clauses' scores, in their order
     * @param matched the clauses that the entry matches
     * @return a negative number if the entry is no hit
     */
    double score(double sum, long matched) {
        double factor = factors.length > 0 ? factors[(int) matched] : computeFactor(matched);
        return factor < 0 ? factor : sum * factor;
    }

    private double computeFactor(long matched) {
        double coverage = coverage(matched);
        return matched != 0 && (deep || coverage >= RankingParameters.LEAST_SHARE_OF_TOOL)
                ? 1 - RankingParameters.SHARE + RankingParameters.SHARE * coverage
                : -1;
    }

    /**
     * Whether an entry answers enough of the query to be a hit.
     *
     * @param matched the clauses that it matches
     * @param ofTool whether it is of a tool that the query names or describes
     * @param withCause whether it has a cause that the query names
     */
    boolean answersEnough(long matched, boolean ofTool, boolean withCause) {
        double coverage = coverage(matched);
        if (deep || coverage >= RankingParameters.LEAST_SHARE) {
            return true;
        }
        if (ofTool) {
            return coverage >= RankingParameters.LEAST_SHARE_OF_TOOL;
        }
        boolean several = (matched & (matched - 1)) != 0;
        double least = several ? RankingParameters.LEAST_SHARE_OF_SEVERAL : RankingParameters.LEAST_SHARE;
        return coverage >= (withCause ? RankingParameters.LEAST_SHARE_OF_CAUSE : least);
    }

    /** The mean number of words of an entry, at least 1. */
    double averageLength() {
        return averageLength;
    }

    /** Whether an entry is a hit whatever share of the query it answers. */
    boolean isDeep() {
        return deep;
    }

    /** The clauses, by descending impact. */
    List<WeightedClause> clauses() {
        return clauses;
    }

    /** The share of the query, from 0 to 1, that an entry answers which matches these clauses. */
    double coverage(long matched) {
        return coverages.length > 0 ? coverages[(int) matched] : computeCoverage(matched);
    }

    private double computeCoverage(long matched) {
        double answered = 0;
        for (WeightedClause clause : clauses) {
            if ((matched & clause.bit) != 0) {
                answered += clause.importance;
            }
        }
        return answered / totalImportance;
    }

    /**
     * BM25's saturated frequency of a term with this weight, in an entry with this number of words. It never grows with
     * the words, and it grows with the weight: whole numbers up to 255 differ by more than rounding takes away.
     */
    double saturation(int weight, int length) {
        if (length >= MAX_NORM || weight >= CACHED_WEIGHTS) {
            return computeSaturation(weight, length);
        }
        int at = length * CACHED_WEIGHTS + weight;
        double saturation = saturations[at];
        if (saturation == 0) {
            saturation = computeSaturation(weight, length);
            saturations[at] = saturation;
        }
        return saturation;
    }

    private double computeSaturation(int weight, int length) {
        double frequency = weight / (double) FieldBoost.TEXT.weight();
        double norm = RankingParameters.K1 * (1 - RankingParameters.B + RankingParameters.B * (length / averageLength));
        return frequency * (RankingParameters.K1 + 1) / (frequency + norm);
    }
}
