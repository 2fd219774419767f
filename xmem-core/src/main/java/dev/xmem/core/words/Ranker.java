package dev.xmem.core.words;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scores one request: BM25 over weighted fields, summed over the request's slots, times the share of the request that an
 * entry answers, times a factor when the request names a tool that is not the entry's.
 *
 * <p>Statistics are those of all slices below their cutoffs together. Entries are scored in windows of ordinals, slot
 * after slot, so that memory does not grow with the log and each score is summed in the order of the request, whatever
 * the slices: equal to the bit wherever it is computed.
 */
final class Ranker {
    private static final int WINDOW = 2048;
    private static final int SLOWNESS_KEPT = 512;

    private final List<WordSearch.Slice> slices;
    private final List<Request.Slot> slots;
    private final Found found = new Found();
    private long entries;
    private long words;
    private double average;
    private final double[] slowness = new double[SLOWNESS_KEPT];
    private final List<Weighed> weighed = new ArrayList<>();
    private boolean namesTool;
    private double asked;

    /** A slot with its terms' multipliers, those that occur somewhere. */
    private static final class Weighed {
        final Request.Slot slot;
        final List<String> terms = new ArrayList<>();
        final List<Double> factors = new ArrayList<>();
        final List<String> tools = new ArrayList<>();
        double importance;

        Weighed(Request.Slot slot) {
            this.slot = slot;
        }
    }

    Ranker(List<WordSearch.Slice> slices, List<Request.Slot> slots) {
        this.slices = slices;
        this.slots = slots;
    }

    Ranking rank() {
        for (WordSearch.Slice slice : slices) {
            for (WordSearch.Stretch stretch : slice.stretches()) {
                int cutoff = cutoff(slice, stretch);
                entries += stretch.words().entriesBelow(cutoff);
                words += stretch.words().wordsBelow(cutoff);
            }
        }
        if (entries == 0) {
            return Ranking.nothing();
        }
        average = Math.max(1, (double) words / entries);
        slots.forEach(this::weigh);
        for (int i = 0; i < slices.size(); i++) {
            for (WordSearch.Stretch stretch : slices.get(i).stretches()) {
                new StretchScan(i, stretch).run();
            }
        }
        return found.ranking(weighed.stream().map(w -> w.slot.words).toList());
    }

    private static int cutoff(WordSearch.Slice slice, WordSearch.Stretch stretch) {
        return Math.max(
                0, Math.min(slice.cutoff() - stretch.base(), stretch.words().end()));
    }

    private void weigh(Request.Slot slot) {
        Weighed result = new Weighed(slot);
        double best = 0;
        for (Map.Entry<String, Double> term : slot.terms.entrySet()) {
            long count = count(term.getKey());
            if (count > 0) {
                double factor = term.getValue() * slot.weight * rarity(count);
                result.terms.add(term.getKey());
                result.factors.add(factor);
                best = Math.max(best, factor);
            }
            if (term.getValue() >= Tuning.TOOL_NAME && isTool(term.getKey())) {
                result.tools.add("@" + term.getKey());
                namesTool = true;
            }
        }
        result.importance = best > 0 || slot.composite ? best : slot.weight * rarity(0) * Tuning.UNKNOWN;
        asked += result.importance;
        weighed.add(result);
    }

    /** Whether an entry is of this tool, and the word is no ordinary one in talk of failures. */
    private boolean isTool(String term) {
        Lexicon.Entry entry = Lexicon.standard().find(term);
        return (entry == null || !entry.weak) && count("@" + term) > 0;
    }

    private long count(String term) {
        long count = 0;
        for (WordSearch.Slice slice : slices) {
            for (WordSearch.Stretch stretch : slice.stretches()) {
                WordLines.TermLines found = stretch.words().find(term);
                count += found == null ? 0 : found.count(cutoff(slice, stretch));
            }
        }
        return count;
    }

    private double rarity(long count) {
        return StrictMath.log(1 + (entries - count + 0.5) / (count + 0.5));
    }

    /** How slowly a score grows with the frequency of a word: the longer the entry, the slower. */
    private double slowness(int length) {
        if (length >= SLOWNESS_KEPT) {
            return Tuning.K1 * (1 - Tuning.B + Tuning.B * (length / average));
        }
        double known = slowness[length];
        if (known == 0) {
            known = Tuning.K1 * (1 - Tuning.B + Tuning.B * (length / average));
            slowness[length] = known;
        }
        return known;
    }

    /** One stretch of a slice, window by window. */
    private final class StretchScan {
        private final int number;
        private final WordSearch.Slice slice;
        private final WordLines lines;
        private final int base;
        private final List<List<@Nullable Walk>> walks = new ArrayList<>();
        private final List<PostingCursor> tools = new ArrayList<>();
        private final double[] scores = new double[WINDOW];
        private final double[] slotBest = new double[WINDOW];
        private final long[] matched = new long[WINDOW];
        private final boolean[] tool = new boolean[WINDOW];
        private final boolean[] cause = new boolean[WINDOW];
        private boolean someCause;
        private int from;

        private record Walk(PostingCursor cursor, double factor, boolean cause) {}

        StretchScan(int number, WordSearch.Stretch stretch) {
            this.number = number;
            this.slice = slices.get(number);
            this.lines = stretch.words();
            this.base = stretch.base();
            int cutoff = cutoff(slice, stretch);
            for (Weighed w : weighed) {
                List<@Nullable Walk> slotWalks = new ArrayList<>();
                for (int i = 0; i < w.terms.size(); i++) {
                    PostingCursor cursor = cursor(w.terms.get(i), cutoff);
                    if (cursor != null) {
                        boolean isCause = w.terms.get(i).charAt(0) == '#';
                        someCause |= isCause;
                        slotWalks.add(new Walk(cursor, w.factors.get(i) * slice.weight(), isCause));
                    }
                }
                walks.add(slotWalks);
                for (String name : w.tools) {
                    PostingCursor cursor = cursor(name, cutoff);
                    if (cursor != null) {
                        tools.add(cursor);
                    }
                }
            }
        }

        private @Nullable PostingCursor cursor(String term, int cutoff) {
            WordLines.TermLines found = lines.find(term);
            return found == null ? null : found.cursor(cutoff);
        }

        void run() {
            for (from = nextWindow(); from != PostingCursor.DONE; from = nextWindow()) {
                for (int s = 0; s < walks.size(); s++) {
                    slot(s);
                }
                for (PostingCursor cursor : tools) {
                    markTool(cursor);
                }
                harvest();
            }
        }

        private int nextWindow() {
            int least = PostingCursor.DONE;
            for (List<@Nullable Walk> slotWalks : walks) {
                for (Walk walk : slotWalks) {
                    least = Math.min(least, walk.cursor.ordinal());
                }
            }
            return least;
        }

        private boolean inWindow(int ordinal) {
            return ordinal - from < WINDOW && ordinal != PostingCursor.DONE;
        }

        private void slot(int s) {
            List<@Nullable Walk> slotWalks = walks.get(s);
            long bit = 1L << s;
            for (Walk walk : slotWalks) {
                for (PostingCursor c = walk.cursor; inWindow(c.ordinal()); c.next()) {
                    int i = c.ordinal() - from;
                    add(i, walk.factor * saturated(c), bit);
                    cause[i] |= walk.cause;
                }
            }
        }

        private void add(int i, double score, long bit) {
            if ((matched[i] & bit) == 0) {
                matched[i] |= bit;
                scores[i] += score;
                slotBest[i] = score;
            } else if (score > slotBest[i]) {
                scores[i] += score - slotBest[i];
                slotBest[i] = score;
            }
        }

        private double saturated(PostingCursor cursor) {
            double frequency = cursor.weight() / (double) FieldClass.TEXT.weight();
            return frequency * (Tuning.K1 + 1) / (frequency + slowness(lines.words(cursor.ordinal())));
        }

        private void markTool(PostingCursor cursor) {
            while (cursor.ordinal() < from) {
                cursor.next();
            }
            for (; inWindow(cursor.ordinal()); cursor.next()) {
                tool[cursor.ordinal() - from] = true;
            }
        }

        private void harvest() {
            for (int i = 0; i < WINDOW; i++) {
                if (matched[i] != 0) {
                    finish(i);
                    scores[i] = 0;
                    matched[i] = 0;
                }
            }
            if (!tools.isEmpty()) {
                Arrays.fill(tool, false);
            }
            if (someCause) {
                Arrays.fill(cause, false);
            }
        }

        private void finish(int i) {
            int ordinal = base + from + i;
            if (slice.accept() != null && !slice.accept().test(ordinal)) {
                return;
            }
            double answered = 0;
            for (int s = 0; s < weighed.size(); s++) {
                if ((matched[i] & (1L << s)) != 0) {
                    answered += weighed.get(s).importance;
                }
            }
            double share = answered / asked;
            double fit = namesTool && !tool[i] ? Tuning.OTHER_TOOL : 1;
            if (share >= leastShare(i)) {
                found.add(number, ordinal, scores[i] * fit * (1 - Tuning.SHARE + Tuning.SHARE * share), matched[i]);
            }
        }

        private double leastShare(int i) {
            if (tool[i]) {
                return Tuning.LEAST_SHARE_OF_TOOL;
            }
            boolean several = (matched[i] & (matched[i] - 1)) != 0;
            return cause[i]
                    ? Tuning.LEAST_SHARE_OF_CAUSE
                    : several ? Tuning.LEAST_SHARE_OF_SEVERAL : Tuning.LEAST_SHARE;
        }
    }
}
