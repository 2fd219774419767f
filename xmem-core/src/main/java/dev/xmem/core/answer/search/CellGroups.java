package dev.xmem.core.answer.search;

import java.util.Arrays;

/** Bounds the scores in the groups of a cell of lines by the bounds of the clauses, see {@link ClauseBounds}. */
final class CellGroups {
    private static final int GROUP = ClauseBounds.GROUP;
    /** The groups of a cell, a bit each in a number. */
    private static final int GROUPS = CellBounds.CELL / GROUP;
    /** What the most of all clauses in a run is in units, about. */
    private static final int UNITS = 1 << 24;

    private final Bm25Scorer scorer;
    private final TopHitsCollector collector;
    private final QueryClause[] clauses;
    /** The bits of all clauses. */
    private final long all;

    /** Of each clause and group the most that the clause can add. */
    private final double[] most;
    /** Of each group the sum of these, the clauses that its lines have, and about the sum in units. */
    private final double[] sums = new double[GROUPS];

    private final long[] matched = new long[GROUPS];
    private final int[] units = new int[GROUPS];
    private double unitsOfOne;
    private int first;
    /** The groups that can reach the minimum competitive score. */
    private long live;
    /** The most that an entry in a live group can score. */
    private double best;

    /** Takes lines that can reach the score. */
    interface Candidates {
        /**
         * Takes a line of the cell.
         *
         * @param sum the most that its clauses can add
         * @param present its clauses
         */
        void add(int line, double sum, long present);
    }

    CellGroups(Bm25Scorer scorer, TopHitsCollector collector, QueryClause[] clauses) {
        this.scorer = scorer;
        this.collector = collector;
        this.clauses = clauses;
        long bits = 0;
        for (QueryClause clause : clauses) {
            bits |= clause.bit;
        }
        this.all = bits;
        this.most = new double[clauses.length * GROUPS];
    }

    /** Begins another run, of which all clauses have their bounds. */
    void open() {
        double sum = 1;
        for (QueryClause clause : clauses) {
            sum += Math.max(0, clause.most);
        }
        unitsOfOne = UNITS / sum;
    }

    /** Bounds the groups of a cell; returns the most that an entry can score in those that can reach the score. */
    double bound(int cell, int groups, double leastBound) {
        first = cell * GROUPS;
        // In units, which are rounded up: few groups are left that are not live.
        int least = (int) (leastBound / scorer.score(1, all) * unitsOfOne);
        Arrays.fill(units, 0, groups, 0);
        for (QueryClause clause : clauses) {
            clause.addUnits(first, groups, unitsOfOne, units);
        }
        long rest = 0;
        for (int group = 0; group < groups; group++) {
            rest |= (units[group] >= least ? 1L : 0) << group;
        }
        live = 0;
        best = -1;
        for (; rest != 0; rest &= rest - 1) {
            bound(Long.numberOfTrailingZeros(rest));
        }
        return best;
    }

    private void bound(int group) {
        double sum = 0;
        long present = 0;
        for (int i = 0; i < clauses.length; i++) {
            double bound = clauses[i].mostInGroup(first + group);
            most[i * GROUPS + group] = bound;
            if (bound >= 0) {
                sum += bound;
                present |= clauses[i].bit;
            }
        }
        double bound = scorer.score(sum, present);
        if ((float) bound >= collector.minCompetitiveScore()) {
            live |= 1L << group;
            sums[group] = sum;
            matched[group] = present;
            best = Math.max(best, bound);
        }
    }

    /** Passes on the lines of the live groups that can reach the score: they have the clauses that are required. */
    void candidates(double leastBound, Candidates to) {
        for (long rest = live; rest != 0; rest &= rest - 1) {
            int group = Long.numberOfTrailingZeros(rest);
            int inAll = -1;
            int inAny = 0;
            for (int i = 0; i < clauses.length; i++) {
                double of = most[i * GROUPS + group];
                if (of >= 0) {
                    int lines = clauses[i].lines(first + group);
                    inAny |= lines;
                    boolean required = scorer.score(sums[group] - of, matched[group] & ~clauses[i].bit) < leastBound;
                    inAll &= required ? lines : -1;
                }
            }
            for (int lines = inAll & inAny; lines != 0; lines &= lines - 1) {
                candidate(group, lines & -lines, leastBound, to);
            }
        }
    }

    private void candidate(int group, int line, double leastBound, Candidates to) {
        double sum = 0;
        long present = 0;
        for (int i = 0; i < clauses.length; i++) {
            if (most[i * GROUPS + group] >= 0 && (clauses[i].lines(first + group) & line) != 0) {
                sum += most[i * GROUPS + group];
                present |= clauses[i].bit;
            }
        }
        if (scorer.score(sum, present) >= leastBound) {
            to.add(group * GROUP + Integer.numberOfTrailingZeros(line), sum, present);
        }
    }

    /** The most that a clause can add in the group of a line of the cell; negative if it has none of them. */
    double most(QueryClause clause, int line) {
        return most[clause.number * GROUPS + line / GROUP];
    }
}
