package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The weights by which rules without a form are recognized are what the labeled messages teach: logistic regression by
 * stochastic gradients, with the steps of AdaGrad. To learn them again, run this test once with {@code
 * -Dxmem.directives.write=true} and commit the changed file.
 */
class DirectiveModelTest {
    private static final String WEIGHTS = "directive-weights.txt";
    private static final int ROUNDS = 30;
    private static final double STEP = 0.5;
    private static final double DECAY = 1e-4;
    private static final int LINE = 116;

    /** A message and whether it states a rule. */
    private record Labeled(boolean rule, String message) {}

    private static List<Labeled> messages() throws IOException {
        List<Labeled> all = new ArrayList<>();
        for (String file :
                List.of("-stated", "-heldout", "-heldout-2", "-heldout-3", "-heldout-4", "-heldout-5", "-heldout-6")) {
            for (String line : text("directives" + file + ".tsv").lines().toList()) {
                String[] row = line.split("\t", -1);
                all.add(new Labeled(row[0].equals("yes"), row[row.length - 1]));
            }
        }
        return all;
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(DirectiveModel.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void weights_learnedAgain_areThoseOfTheFile() throws IOException {
        Map<String, double[]> weights = new HashMap<>();
        List<Labeled> order = messages();
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            Collections.shuffle(order, random);
            for (Labeled message : order) {
                learn(DirectiveModel.features(message.message), message.rule ? 1 : -1, weights);
            }
        }
        String text = asFile(weights);
        if (Boolean.getBoolean("xmem.directives.write")) {
            Files.writeString(Path.of("src/main/resources/dev/xmem", WEIGHTS), text);
        } else {
            assertThat(text(WEIGHTS)).isEqualTo(text);
        }
    }

    private static void learn(Set<String> features, int label, Map<String, double[]> weights) {
        double norm = Math.sqrt(features.size());
        double sum = 0;
        for (String feature : features) {
            sum += weights.computeIfAbsent(feature, f -> new double[] {0, 0.1})[0];
        }
        double gradient = -label / (1 + StrictMath.exp(label * sum / norm)) / norm;
        for (String feature : features) {
            double[] weight = weights.getOrDefault(feature, new double[2]);
            double slope = gradient + DECAY * weight[0];
            weight[1] += slope * slope;
            weight[0] -= STEP * slope / Math.sqrt(weight[1]);
        }
    }

    private static String asFile(Map<String, double[]> weights) {
        Map<Integer, Set<String>> byWeight = new TreeMap<>();
        weights.forEach((feature, weight) -> byWeight.computeIfAbsent(
                        (int) Math.rint(weight[0] * 10), w -> new TreeSet<>())
                .add(feature));
        byWeight.keySet().removeIf(weight -> Math.abs(weight) < 2);
        StringBuilder text = new StringBuilder("""
                # The weights of the features of messages, in tenths; a positive one speaks for a rule. Learned from labeled messages
                # by DirectiveModelTest, which writes this file with -Dxmem.directives.write=true: a word, its first letters*, a
                # neighbor+word, and kinds of values.
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
}
