package dev.xmem.core.agent.guard;

import dev.xmem.core.text.analysis.RuleFile;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Detects messages in which a user complains that the same thing went wrong again. Reads the first and the last
 * thousand characters of what the user wrote, without pasted code and logs. The language of a message is chosen first;
 * a linear model then weighs its words and word classes, with the weights of {@code complaint-weights.txt}. Languages
 * without a model have phrases. The rules are read at the first message. Stateless. Decision:
 * docs/adr/0069-complaints-by-learned-weights.md.
 */
final class FrustrationDetector {
    /** The score above which a message is a complaint; chosen so that few others are taken for one. */
    static final double THRESHOLD = 0.35;

    private static final int WHOLE_WORDS = 12;
    private static final int WINDOW_WORDS = 8;
    private static final double WINDOW_MALUS = 0.2;

    /** The classes of which a complaint has one: words of repetition, of failure, and of what did not help. */
    private static final List<String> SIGNS = List.of(
            "AGAIN", "STILL", "BACK", "SAME", "EVERY", "NTH", "MANY", "ALREADY", "BAD", "FAIL", "NOT", "HELP",
            "CHANGE");

    private FrustrationDetector() {}

    /** The languages, read once. */
    private static final class Rules {
        static final Map<String, WordClasses> CLASSES = new LinkedHashMap<>();
        static final Map<String, Phrases> PHRASES = new LinkedHashMap<>();

        static {
            for (RuleFile.Section section : RuleFile.sections(FrustrationDetector.class, "frustration.txt")) {
                int blank = section.header().indexOf(' ');
                String name = blank < 0 ? section.header() : section.header().substring(0, blank);
                String kind = blank < 0 ? "" : section.header().substring(blank + 1);
                if (section.body().get(0).contains(" = ")) {
                    CLASSES.computeIfAbsent(name, n -> new WordClasses()).add(kind, section.body());
                } else {
                    PHRASES.computeIfAbsent(name, n -> new Phrases()).add(kind, section.body());
                }
            }
        }
    }

    /** The weights, read once. */
    private static final class Weights {
        static final Map<String, Double> ALL = new HashMap<>();

        static {
            for (RuleFile.Section section : RuleFile.sections(FrustrationDetector.class, "complaint-weights.txt")) {
                double weight = Integer.parseInt(section.header()) / 10.0;
                for (String line : section.body()) {
                    for (String feature : line.split(" ")) {
                        ALL.put(feature, weight);
                    }
                }
            }
        }
    }

    /** The phrases of one language. */
    private static final class Phrases {
        private final List<Phrase> complaints = new ArrayList<>();
        private final List<Phrase> never = new ArrayList<>();
        private final List<String[]> characters = new ArrayList<>();
        private final List<String[]> neverCharacters = new ArrayList<>();

        void add(String kind, List<String> lines) {
            boolean complaint = kind.isEmpty();
            for (String line : lines) {
                if (line.indexOf(' ') >= 0 || line.chars().noneMatch(c -> c >= 0x2E80)) {
                    (complaint ? complaints : never).add(new Phrase(line));
                } else {
                    (complaint ? characters : neverCharacters).add(line.split("…"));
                }
            }
        }

        boolean complains(Sentence sentence) {
            return Phrase.anyIn(complaints, sentence) && !Phrase.anyIn(never, sentence)
                    || anyIn(characters, sentence.text()) && !anyIn(neverCharacters, sentence.text());
        }

        private static boolean anyIn(List<String[]> phrases, String text) {
            return phrases.stream().anyMatch(parts -> isIn(parts, text));
        }

        /** Whether the parts follow each other with at most eight characters between them. */
        private static boolean isIn(String[] parts, String text) {
            for (int at = text.indexOf(parts[0]); at >= 0; at = text.indexOf(parts[0], at + 1)) {
                int end = at + parts[0].length();
                for (int i = 1; i < parts.length && end >= 0; i++) {
                    int next = text.indexOf(parts[i], end);
                    end = next < 0 || next > end + 8 ? -1 : next + parts[i].length();
                }
                if (end >= 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether a message is such a complaint. */
    static boolean in(String message) {
        List<Sentence> sentences = sentences(message);
        for (Phrases phrases : Rules.PHRASES.values()) {
            if (sentences.stream().anyMatch(phrases::complains)) {
                return true;
            }
        }
        return score(sentences, Weights.ALL) > THRESHOLD;
    }

    /**
     * How much a message is a complaint. The score of a long message is that of the neighboring sentences that score
     * highest, so that the text around a complaint does not outweigh it. It is lowered a little, because a long message
     * has many such windows.
     */
    static double score(List<Sentence> sentences, Map<String, Double> weights) {
        if (sentences.stream().mapToInt(sentence -> sentence.words().size()).sum() <= WHOLE_WORDS) {
            return sum(features(sentences), weights);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int begin = 0; begin < sentences.size(); begin++) {
            int end = begin + 1;
            int words = words(sentences, begin);
            while (end < sentences.size() && words + words(sentences, end) <= WINDOW_WORDS) {
                words += words(sentences, end++);
            }
            best = Math.max(best, sum(features(sentences.subList(begin, end)), weights) - WINDOW_MALUS);
        }
        return best;
    }

    private static int words(List<Sentence> sentences, int at) {
        return sentences.get(at).words().size();
    }

    /** The sum of the weights of features, divided by the square root of their number. */
    private static double sum(Set<String> features, Map<String, Double> weights) {
        double sum = 0;
        for (String feature : features) {
            sum += weights.getOrDefault(feature, 0.0);
        }
        boolean sign = SIGNS.stream().anyMatch(features::contains);
        return sign ? sum / Math.sqrt(features.size()) : Double.NEGATIVE_INFINITY;
    }

    /** What the user wrote, in sentences. */
    static List<Sentence> sentences(String message) {
        return Sentence.of(folded(Prose.of(message)));
    }

    /** The features of sentences in the language that fits best; empty if they have no known word of any. */
    static Set<String> features(List<Sentence> sentences) {
        int most = 0;
        WordClasses best = null;
        for (WordClasses language : Rules.CLASSES.values()) {
            int points = language.points(sentences);
            if (points > most) {
                most = points;
                best = language;
            }
        }
        return best == null ? Set.of() : best.features(sentences);
    }

    /** Converts to lower case, removes accents and unifies apostrophes. */
    static String folded(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.chars().allMatch(c -> c < 0x80 || c == Prose.QUOTED) ? lower : unaccented(lower);
    }

    private static String unaccented(String text) {
        String decomposed = Normalizer.normalize(text, Normalizer.Form.NFKD);
        boolean accents = hasAccents(decomposed);
        StringBuilder folded = new StringBuilder(decomposed.length());
        for (int i = 0; i < decomposed.length(); i++) {
            char c = decomposed.charAt(i);
            switch (c) {
                case '’', '‘', 'ʼ' -> folded.append('\'');
                case 'ł' -> folded.append('l');
                case 'ı' -> folded.append('i');
                case 'ß' -> folded.append("ss");
                default -> {
                    if (!accents || Character.getType(c) != Character.NON_SPACING_MARK) {
                        folded.append(c);
                    }
                }
            }
        }
        return Normalizer.normalize(folded, Normalizer.Form.NFC);
    }

    /** Whether marks are accents: in Indic, Thai, Lao and Japanese scripts they are parts of letters and are kept. */
    private static boolean hasAccents(String text) {
        return text.chars().noneMatch(c -> c >= 0x900 && c < 0xE80 || c >= 0x3040 && c < 0x3100);
    }
}
