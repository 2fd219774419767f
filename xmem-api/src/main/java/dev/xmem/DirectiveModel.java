package dev.xmem;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether a text without a form of its own states a rule ("primary keys are uuids", "use yarn, not npm") rather
 * than a task, a description, or a secret. A linear model weighs its words, their neighbors and the kinds of its values
 * with the weights of {@code directive-weights.txt}. The weights are read at the first text. Stateless. Decision:
 * docs/adr/0070-rules-by-learned-weights.md.
 */
final class DirectiveModel {
    private static final double THRESHOLD = 0.4;
    /** Below this a part is no part of a rule. A part may say less than its sentence: "max 72 chars". */
    private static final double PART_THRESHOLD = -2.5;

    private static final Pattern PART_END = Pattern.compile("[.;!]\\s+|,\\s+(?!(?:not|nicht)\\s)");
    private static final String SIGNS = "?!:;,.`/=@#+-";
    private static final String VALUE_SIGNS = "!@#%&";
    private static final int STEM = 5;
    private static final int LONG_WORD = 16;
    private static final int MAX_WORDS = 60;

    private DirectiveModel() {}

    private static final class Weights {
        static final Map<String, Double> ALL = new HashMap<>();

        static {
            try (InputStream in =
                    Objects.requireNonNull(DirectiveModel.class.getResourceAsStream("directive-weights.txt"))) {
                double weight = 0;
                for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                    if (line.startsWith(" ")) {
                        for (String feature : line.strip().split(" ", -1)) {
                            ALL.put(feature, weight);
                        }
                    } else if (!line.startsWith("#") && !line.isEmpty()) {
                        weight = Integer.parseInt(line) / 10.0;
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("directive-weights.txt cannot be read", e);
            }
        }
    }

    /** Whether a text states a rule, and no part of it speaks against that, such as a secret behind a rule. */
    static boolean isRule(String text) {
        return score(features(text), Weights.ALL) > THRESHOLD
                && PART_END.splitAsStream(text)
                        .filter(part -> part.indexOf(' ') > 0)
                        .allMatch(part -> score(features(part), Weights.ALL) > PART_THRESHOLD);
    }

    /** The sum of the weights of features, divided by the square root of their number. */
    static double score(Set<String> features, Map<String, Double> weights) {
        double sum = 0;
        for (String feature : features) {
            sum += weights.getOrDefault(feature, 0.0);
        }
        return sum / Math.sqrt(features.size());
    }

    /** The features of a text, of which the first words are read. */
    static Set<String> features(String text) {
        Set<String> features = new LinkedHashSet<>();
        StringBuilder word = new StringBuilder();
        String previous = "^";
        int count = 0;
        for (int i = 0; i <= text.length() && count < MAX_WORDS; i++) {
            char c = i < text.length() ? Character.toLowerCase(text.charAt(i)) : ' ';
            boolean part = Character.isLetterOrDigit(c) || c == '_' || c == '\'' && word.length() > 0;
            if (part) {
                word.append(c);
                continue;
            }
            if (word.length() > 0) {
                String token = kind(word.toString());
                count++;
                add(token, previous, count, features);
                previous = token;
                word.setLength(0);
            }
            if (SIGNS.indexOf(c) >= 0) {
                add(String.valueOf(c), previous, ++count, features);
                previous = String.valueOf(c);
            }
        }
        for (String raw : text.strip().split("\\s+", MAX_WORDS)) {
            if (isValue(raw)) {
                features.add("VALUE");
            }
            if (raw.chars().filter(Character::isLetterOrDigit).count() >= LONG_WORD) {
                features.add("LONG");
            }
        }
        features.add("LENGTH" + Math.min(6, count / 4));
        return features;
    }

    private static void add(String token, String previous, int position, Set<String> features) {
        features.add(token);
        features.add(previous + '+' + token);
        if (token.length() > STEM) {
            features.add(token.substring(0, STEM) + '*');
        }
        if (position == 1) {
            features.add("FIRST+" + token);
        }
    }

    /** A word, or what stands for numbers and for words with digits, which are too many to learn. */
    private static String kind(String word) {
        boolean digits = word.chars().anyMatch(Character::isDigit);
        boolean letters = word.chars().anyMatch(Character::isLetter);
        return !digits ? word : letters ? "MIXED" : "NUMBER";
    }

    /** Whether a word looks like a value that was made up: capitals and digits, or a sign between letters. */
    private static boolean isValue(String word) {
        boolean capital = word.chars().anyMatch(Character::isUpperCase);
        boolean digit = word.chars().anyMatch(Character::isDigit);
        boolean sign = false;
        for (int i = 1; i + 1 < word.length() && !sign; i++) {
            sign = VALUE_SIGNS.indexOf(word.charAt(i)) >= 0
                    && Character.isLetterOrDigit(word.charAt(i - 1))
                    && Character.isLetterOrDigit(word.charAt(i + 1));
        }
        return capital && digit || sign;
    }
}
