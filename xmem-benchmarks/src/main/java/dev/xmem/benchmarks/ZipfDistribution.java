package dev.xmem.benchmarks;

import java.util.Arrays;
import java.util.Random;

/** A Zipf distribution over {@code 0..size-1}; number n has weight 1 / (n + 1)^exponent. Immutable. */
final class ZipfDistribution {
    private final double[] sums;

    ZipfDistribution(int size, double exponent) {
        sums = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += Math.pow(i + 1.0, -exponent);
            sums[i] = sum;
        }
    }

    int next(Random random) {
        int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
        return Math.min(sums.length - 1, at < 0 ? -at - 1 : at + 1);
    }
}
