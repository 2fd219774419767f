package dev.xmem.core.answer.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Divides the terms of a query for a cell of lines: no entry can reach the minimum competitive score without an
 * essential one. Essential are either the terms of one clause that every such entry must have, or the terms that are
 * left after the longest lists were taken away, as many as cannot reach the score together.
 */
final class EssentialTerms {
    private static final double ABSENT = CellBounds.ABSENT;

    private final Bm25Scorer scorer;
    private final QueryClause[] clauses;
    /** By ascending bounds for their size in the run. */
    private final List<QueryTerm> terms = new ArrayList<>();

    private double leastBound;
    /** Of each clause the most that it can add in the cell. */
    private final double[] most;
    /** Of each clause the most that its terms can add that are not essential. */
    private final double[] rest;
    /** All clauses that lines of the cell have, and the sum of what they can add. */
    private long matched;

    private double sum;

    EssentialTerms(Bm25Scorer scorer, QueryClause[] clauses) {
        this.scorer = scorer;
        this.clauses = clauses;
        this.most = new double[clauses.length];
        this.rest = new double[clauses.length];
        for (QueryClause clause : clauses) {
            terms.addAll(clause.terms);
        }
    }

    /** Begins another run. */
    void open() {
        terms.sort(Comparator.comparingDouble(term -> term.most / Math.max(1, term.size)));
    }

    /** Divides the terms for a cell, given the most of each clause and cell. */
    void choose(double[] mostInCell, int cell, int cells, double least) {
        leastBound = least;
        sum = 0;
        matched = 0;
        for (int i = 0, at = cell; i < most.length; i++, at += cells) {
            most[i] = mostInCell[at];
            sum += Math.max(0, most[i]);
            matched |= most[i] >= 0 ? clauses[i].bit : 0;
        }
        long size = chooseTerms();
        QueryClause one = null;
        for (QueryClause clause : clauses) {
            if (isRequired(clause) && size(clause) < size) {
                one = clause;
                size = size(clause);
            }
        }
        if (one != null) {
            chooseOnly(one);
        }
    }

    /**
     * Chooses without regard to clauses that are required; returns about how many postings the essential terms have.
     */
    private long chooseTerms() {
        long size = 0;
        Arrays.fill(rest, ABSENT);
        for (QueryTerm term : terms) {
            double before = rest[term.clause];
            rest[term.clause] = Math.max(before, Math.min(term.most, most[term.clause]));
            term.essential = bound() >= leastBound;
            if (term.essential) {
                rest[term.clause] = before;
                size += term.size;
            }
        }
        return size;
    }

    private double bound() {
        double all = 0;
        long present = 0;
        for (int i = 0; i < rest.length; i++) {
            if (rest[i] >= 0) {
                all += rest[i];
                present |= clauses[i].bit;
            }
        }
        return scorer.score(all, present);
    }

    /** Whether no entry can reach the score without a clause. */
    private boolean isRequired(QueryClause clause) {
        double of = most[clause.number];
        return of >= 0 && scorer.score(sum - of, matched & ~clause.bit) < leastBound;
    }

    /** About how many postings the terms have that can make a required clause add enough. */
    private long size(QueryClause clause) {
        double least = least(clause.number);
        long size = 0;
        for (QueryTerm term : clause.terms) {
            size += term.most >= least ? term.size : 0;
        }
        return size;
    }

    private void chooseOnly(QueryClause one) {
        Arrays.fill(rest, ABSENT);
        for (QueryTerm term : terms) {
            boolean of = clauses[term.clause] == one;
            term.essential = of && term.most >= least(term.clause);
            if (!term.essential) {
                rest[term.clause] = Math.max(rest[term.clause], Math.min(term.most, most[term.clause]));
            }
        }
    }

    private double least(int clause) {
        return leastBound / scorer.score(1, matched) - (sum - Math.max(0, most[clause]));
    }

    /** The least score of an essential term's posting that can make its clause add enough; negative for any. */
    double leastOf(QueryTerm term) {
        double least = least(term.clause);
        return rest[term.clause] >= least ? ABSENT : least;
    }

    /** The most that the terms of a clause can add that are not essential; negative if no line has them. */
    double rest(QueryClause clause) {
        return rest[clause.number];
    }

    /** The most that an entry in the cell can score. */
    double best() {
        return scorer.score(sum, matched);
    }
}
