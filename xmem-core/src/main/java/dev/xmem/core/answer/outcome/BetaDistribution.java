package dev.xmem.core.answer.outcome;

/**
 * A Beta distribution, the conjugate prior of a probability. Formulas: Gelman et al., <cite>Bayesian Data Analysis</cite>,
 * 3rd edition, sections 2.1 and 2.4.
 *
 * @param a with a flat prior, the number of successes plus one
 * @param b with a flat prior, the number of failures plus one
 */
public record BetaDistribution(double a, double b) {
    /** The flat prior: every probability is equally likely. */
    public static final BetaDistribution FLAT = new BetaDistribution(1, 1);

    private static final double MAX_WEIGHT = 20;
    private static final int CELLS = 1000;

    /**
     * The prior from an entry's own line. Its mean is the confidence {@code c}; its weight {@code w} is that of {@code 1 +
     * uses} observations, at most {@value #MAX_WEIGHT}: {@code Beta(c·w, (1−c)·w)}. Confidence 0.5 after one use is the flat
     * prior.
     */
    static BetaDistribution prior(double confidence, long uses) {
        double weight = Math.max(2, Math.min(MAX_WEIGHT, 1 + (double) uses));
        return new BetaDistribution(confidence * weight, (1 - confidence) * weight);
    }

    /** The posterior after more successes and failures: {@code Beta(a + successes, b + failures)}. */
    public BetaDistribution and(long successes, long failures) {
        return new BetaDistribution(a + successes, b + failures);
    }

    /** The mean, {@code a / (a + b)}. */
    public double mean() {
        return a / (a + b);
    }

    /**
     * The probability that a value of this distribution exceeds one of another by more than a margin, {@code P(X > Y +
     * margin)}: the sum over a grid of {@value #CELLS} cells of the density of X times the distribution function of Y. Exact
     * to about three digits.
     */
    public double exceeds(BetaDistribution other, double margin) {
        double[] ours = cells();
        double[] theirs = other.cells();
        int shift = (int) Math.round(margin * CELLS);
        double below = 0;
        double above = 0;
        for (int i = 0; i < CELLS; i++) {
            int at = i - shift;
            double here = at < 0 ? 0 : theirs[at];
            above += ours[i] * (below + here / 2);
            below += here;
        }
        return above;
    }

    /** The probability of each cell of the grid. */
    private double[] cells() {
        double[] cells = new double[CELLS];
        double sum = 0;
        double mode = a + b > 2 ? Math.min(1 - 0.5 / CELLS, Math.max(0.5 / CELLS, (a - 1) / (a + b - 2))) : 0.5;
        double highest = logDensity(mode);
        for (int i = 0; i < CELLS; i++) {
            cells[i] = StrictMath.exp(logDensity((i + 0.5) / CELLS) - highest);
            sum += cells[i];
        }
        for (int i = 0; i < CELLS; i++) {
            cells[i] /= sum;
        }
        return cells;
    }

    private double logDensity(double x) {
        return (a - 1) * StrictMath.log(x) + (b - 1) * StrictMath.log(1 - x);
    }
}
