package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Scores one request: BM25 over weighted fields, summed over the request's slots, times the share of the request that an
 * entry answers, times a factor when the request names a tool that is not the entry's.
 *
 * <p>Statistics are those of all slices below their cutoffs together. Entries are scored in windows of ordinals, slot
 * after slot, so that memory does not grow with the log and each score is summed in the same order, whatever the slices:
 * equal to the bit wherever it is computed.
 *
 * <p>The slots that can add most come first. As soon as the last ones together cannot lift an entry above the floor, they
 * only add to entries that another slot found, as MaxScore does (H. Turtle and J. Flood, Query evaluation: strategies and
 * optimizations, 1995). The floor is a part of the best score, so that nothing is left out and the total is exact, until many
 * are counted; from then on it is what an entry needs to be among those wanted.
 */
final class Bm25Scorer {
    private static final int MANY_WORDS = 255;
    private static final int WEIGHTS_KEPT = 32;
    private static final int SHARES_KEPT = 10;
    /** Sums of upper bounds are rounded, too. */
    private static final double ROUNDING = 1.0001;

    private static final double MOST_SATURATED = RankingParameters.K1 + 1;

    private final List<LogSlice> slices;
    private final List<ParsedQuery.Clause> slots;
    private final TopHitsCollector found;
    private long entries;
    private long words;
    private double average;
    private final double[] saturated = new double[MANY_WORDS * WEIGHTS_KEPT];
    private final List<Weighed> weighed = new ArrayList<>();
    private double[] shares = {};
    private double[] mostFrom = {};
    private double[] mostBehind = {};
    private boolean namesTool;
    private double asked;

    /** A slot with its terms' multipliers, those that occur somewhere. */
    static final class Weighed {
        final ParsedQuery.Clause slot;
        final List<String> terms = new ArrayList<>();
        final List<Double> factors = new ArrayList<>();
        final List<String> tools = new ArrayList<>();
        final long bit;
        double importance;

        Weighed(ParsedQuery.Clause slot, int number) {
            this.slot = slot;
            this.bit = 1L << number;
        }

        double most() {
            return factors.stream().mapToDouble(factor -> factor).max().orElse(0) * MOST_SATURATED;
        }
    }

    /** @param wanted how many ranks are wanted; the others count only */
    Bm25Scorer(List<LogSlice> slices, List<ParsedQuery.Clause> slots, int wanted) {
        this.slices = slices;
        this.slots = slots;
        this.found = new TopHitsCollector(wanted);
    }

    /** Ranks all entries. */
    TopHits rank() {
        for (LogSlice slice : slices) {
            for (LogSlice.Part stretch : slice.segments()) {
                int cutoff = cutoff(slice, stretch);
                entries += stretch.words().entriesBelow(cutoff);
                words += stretch.words().wordsBelow(cutoff);
            }
        }
        if (entries == 0) {
            return TopHits.nothing();
        }
        average = Math.max(1, (double) words / entries);
        for (ParsedQuery.Clause slot : slots) {
            weighed.add(weigh(slot, weighed.size()));
        }
        List<String> words = weighed.stream().map(w -> w.slot.words).toList();
        weighed.sort(Comparator.comparingDouble(Weighed::most).reversed());
        limit();
        for (int i = 0; i < slices.size(); i++) {
            for (LogSlice.Part stretch : slices.get(i).segments()) {
                new SegmentScorer(this, i, stretch, cutoff(slices.get(i), stretch)).run();
            }
        }
        return found.ranking(words);
    }

    /** What an entry can score at most that no slot before this one found; and the shares of few slots. */
    private void limit() {
        double weight = slices.stream().mapToDouble(LogSlice::weight).max().orElse(1);
        mostFrom = new double[weighed.size() + 1];
        mostBehind = new double[weighed.size()];
        double sum = 0;
        double importance = 0;
        for (int s = weighed.size() - 1; s >= 0; s--) {
            mostBehind[s] = sum;
            sum += weighed.get(s).most() * weight;
            importance += weighed.get(s).importance;
            double share = importance / asked * ROUNDING;
            mostFrom[s] = share < RankingParameters.LEAST_SHARE_OF_TOOL
                    ? 0
                    : sum * ROUNDING * (1 - RankingParameters.SHARE + RankingParameters.SHARE * Math.min(1, share));
        }
        if (weighed.size() <= SHARES_KEPT) {
            shares = new double[1 << weighed.size()];
            for (int matched = 1; matched < shares.length; matched++) {
                shares[matched] = computedShare(matched);
            }
        }
    }

    /** What part of the request these slots answer. */
    double share(long matched) {
        return shares.length > 0 ? shares[(int) matched] : computedShare(matched);
    }

    private double computedShare(long matched) {
        double answered = 0;
        for (Weighed w : weighed) {
            if ((matched & w.bit) != 0) {
                answered += w.importance;
            }
        }
        return answered / asked;
    }

    /** The slots, those that can add most first. */
    List<Weighed> weighed() {
        return weighed;
    }

    /** A log of the request. */
    LogSlice slice(int number) {
        return slices.get(number);
    }

    /** What is found so far. */
    TopHitsCollector found() {
        return found;
    }

    /** Of how many slots, the first ones, one has to find an entry for it to be shown. */
    int finding(int before) {
        int finding = before;
        while (finding > 0 && mostFrom[finding - 1] < found.needed()) {
            finding--;
        }
        return finding;
    }

    /** What the slots behind one can add to an entry's score at most. */
    double mostBehind(int slot) {
        return mostBehind[slot];
    }

    /** Whether entries of other tools are held back. */
    boolean namesTool() {
        return namesTool;
    }

    private static int cutoff(LogSlice slice, LogSlice.Part stretch) {
        return Math.max(
                0, Math.min(slice.cutoff() - stretch.base(), stretch.words().end()));
    }

    private Weighed weigh(ParsedQuery.Clause slot, int number) {
        Weighed result = new Weighed(slot, number);
        double best = 0;
        for (Map.Entry<String, Double> term : slot.terms.entrySet()) {
            long count = count(term.getKey());
            if (count > 0) {
                double factor = term.getValue() * slot.weight * rarity(count);
                result.terms.add(term.getKey());
                result.factors.add(factor);
                best = Math.max(best, factor);
            }
            if (term.getValue() >= RankingParameters.TOOL_NAME && isTool(term.getKey())) {
                result.tools.add("@" + term.getKey());
                namesTool = true;
            }
        }
        result.importance = best > 0 || slot.composite ? best : slot.weight * rarity(0) * RankingParameters.UNKNOWN;
        asked += result.importance;
        return result;
    }

    /** Whether an entry is of this tool, and the word is no ordinary one in talk of failures. */
    private boolean isTool(String term) {
        Lexicon.LexiconEntry entry = Lexicon.standard().find(term);
        return (entry == null || !entry.weak) && count("@" + term) > 0;
    }

    private long count(String term) {
        long count = 0;
        for (LogSlice slice : slices) {
            for (LogSlice.Part stretch : slice.segments()) {
                TextIndex.TermLines found = stretch.words().find(term);
                count += found == null ? 0 : found.count(cutoff(slice, stretch));
            }
        }
        return count;
    }

    private double rarity(long count) {
        return StrictMath.log(1 + (entries - count + 0.5) / (count + 0.5));
    }

    /** How much a word counts that has this weight in an entry of so many words: the longer the entry, the less. */
    double saturated(int weight, int length) {
        if (length >= MANY_WORDS || weight >= WEIGHTS_KEPT) {
            return computedSaturated(weight, length);
        }
        int at = length * WEIGHTS_KEPT + weight;
        double known = saturated[at];
        if (known == 0) {
            known = computedSaturated(weight, length);
            saturated[at] = known;
        }
        return known;
    }

    private double computedSaturated(int weight, int length) {
        double frequency = weight / (double) FieldBoost.TEXT.weight();
        double slowness = RankingParameters.K1 * (1 - RankingParameters.B + RankingParameters.B * (length / average));
        return frequency * (RankingParameters.K1 + 1) / (frequency + slowness);
    }
}
