package dev.xmem.core.agent.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learns the weights of {@code complaint-weights.txt}: logistic regression by stochastic gradients, with the steps of
 * AdaGrad (Duchi et al., 2011). The same messages give the same weights.
 */
final class ComplaintModel {
    private static final int ROUNDS = 30;
    private static final double STEP = 0.6;
    private static final double DECAY = 1e-4;
    private static final int RARE = 2;
    private static final int LINE = 116;

    private static final Map<String, Set<String>> FEATURES = new ConcurrentHashMap<>();

    private ComplaintModel() {}

    /** A message and whether it is a complaint. */
    record Labeled(String language, boolean complaint, String message) {
        Set<String> features() {
            return FEATURES.computeIfAbsent(
                    message, text -> FrustrationDetector.features(FrustrationDetector.sentences(text)));
        }
    }

    /** The messages of a file beside this class. */
    static List<Labeled> read(String file) {
        try (InputStream in = Objects.requireNonNull(ComplaintModel.class.getResourceAsStream(file), file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .map(row -> new Labeled(row[0], row[1].equals("yes"), row[2].replace("\\n", "\n")))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The weights of the features that occur in several messages, rounded to tenths. */
    static Map<String, Double> weights(List<Labeled> messages) {
        Map<String, Integer> counts = new HashMap<>();
        messages.forEach(message -> message.features().forEach(feature -> counts.merge(feature, 1, Integer::sum)));
        Map<String, double[]> weights = new HashMap<>();
        counts.forEach((feature, count) -> {
            if (count >= RARE) {
                weights.put(feature, new double[] {0, 0.1});
            }
        });
        Map<Labeled, List<double[]>> known = new HashMap<>();
        for (Labeled message : messages) {
            known.put(
                    message,
                    message.features().stream()
                            .map(weights::get)
                            .filter(Objects::nonNull)
                            .toList());
        }
        List<Labeled> order = new ArrayList<>(messages);
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            Collections.shuffle(order, random);
            for (Labeled message : order) {
                double norm = Math.sqrt(message.features().size());
                learn(known.get(message), norm, message.complaint ? 1 : -1);
            }
        }
        Map<String, Double> rounded = new TreeMap<>();
        weights.forEach((feature, weight) -> {
            double tenths = Math.rint(weight[0] * 10);
            if (tenths != 0) {
                rounded.put(feature, tenths / 10);
            }
        });
        return rounded;
    }

    private static void learn(List<double[]> known, double norm, int label) {
        double sum = 0;
        for (double[] weight : known) {
            sum += weight[0];
        }
        double gradient = -label / (1 + StrictMath.exp(label * sum / norm)) / norm;
        for (double[] weight : known) {
            double slope = gradient + DECAY * weight[0];
            weight[1] += slope * slope;
            weight[0] -= STEP * slope / Math.sqrt(weight[1]);
        }
    }

    /** The text of the file of weights: a section for each weight in tenths, with its features. */
    static String text(Map<String, Double> weights) {
        Map<Integer, Set<String>> byWeight = new TreeMap<>();
        weights.forEach(
                (feature, weight) -> byWeight.computeIfAbsent((int) Math.rint(weight * 10), w -> new TreeSet<>())
                        .add(feature));
        StringBuilder text = new StringBuilder("""
                # The weights of the features of messages, in tenths; a positive one speaks for a complaint that something went wrong
                # again. Learned from labeled messages by ComplaintModelTest, which writes this file with -Dxmem.complaints.write=true.
                # a word, a word's first five letters*, a neighbor+word, a CLASS of frustration.txt, ,CLASS at the beginning of a
                # clause, CLASS-CLASS in one clause, CLASS|CLASS in neighboring ones.
                """);
        byWeight.forEach((weight, features) -> {
            text.append(weight).append('\n');
            StringBuilder line = new StringBuilder();
            for (String feature : features) {
                if (line.length() > 0 && line.length() + feature.length() >= LINE) {
                    text.append("    ").append(line).append('\n');
                    line.setLength(0);
                }
                line.append(line.length() == 0 ? "" : " ").append(feature);
            }
            text.append("    ").append(line).append('\n');
        });
        return text.toString();
    }

    /** The messages that are complaints and are heard, and the others that are taken for complaints. */
    record Count(int complaints, int heard, int others, int falseAlarms) {
        static Count of(List<Labeled> messages, Map<String, Double> weights) {
            int[] counts = new int[4];
            for (Labeled message : messages) {
                List<Sentence> sentences = FrustrationDetector.sentences(message.message);
                boolean heard = FrustrationDetector.score(sentences, weights) > FrustrationDetector.THRESHOLD;
                counts[message.complaint ? 0 : 2]++;
                counts[message.complaint ? 1 : 3] += heard ? 1 : 0;
            }
            return new Count(counts[0], counts[1], counts[2], counts[3]);
        }

        Count and(Count other) {
            return new Count(
                    complaints + other.complaints,
                    heard + other.heard,
                    others + other.others,
                    falseAlarms + other.falseAlarms);
        }

        @Override
        public String toString() {
            return "heard " + heard + " of " + complaints + ", false alarms " + falseAlarms + " of " + others;
        }
    }

    /** The distinct messages of several files. */
    static List<Labeled> readAll(List<String> files) {
        Set<String> seen = new HashSet<>();
        List<Labeled> all = new ArrayList<>();
        for (String file : files) {
            for (Labeled message : read(file)) {
                if (seen.add(message.message)) {
                    all.add(message);
                }
            }
        }
        return all;
    }
}
