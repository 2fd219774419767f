package dev.xmem.core.outcome;

/**
 * What is believed about a probability: a Beta distribution. Formulas: Gelman et al., <cite>Bayesian Data Analysis</cite>,
 * 3rd edition, sections 2.1 and 2.4.
 *
 * @param a one more than the successes seen, with a flat prior
 * @param b one more than the failures seen, with a flat prior
 */
public record Beta(double a, double b) {
    /** Nothing known: every probability is as likely as any other. */
    public static final Beta FLAT = new Beta(1, 1);

    private static final double MOST_WEIGHT = 20;

    /**
     * What an entry says of itself. Its confidence {@code c} is the mean, and weighs as much as {@code 1 + uses}
     * observations, at most {@value #MOST_WEIGHT}: {@code Beta(c·w, (1−c)·w)}. The confidence .5 of something used once is
     * the flat prior.
     */
    static Beta prior(double confidence, long uses) {
        double weight = Math.max(2, Math.min(MOST_WEIGHT, 1 + (double) uses));
        return new Beta(confidence * weight, (1 - confidence) * weight);
    }

    /** After so many more successes and failures: {@code Beta(a + successes, b + failures)}. */
    public Beta and(long successes, long failures) {
        return new Beta(a + successes, b + failures);
    }

    /** The posterior mean, {@code a / (a + b)}. */
    public double mean() {
        return a / (a + b);
    }
}
