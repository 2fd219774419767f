package dev.xmem.core.agent.guard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The word classes of one language in {@code frustration.txt}, and the features by which the model of complaints knows
 * a message: its words, pairs of neighbors, its classes, and pairs of classes in one clause or in neighboring ones.
 * Classes have the same names in all languages, so that what a pair of them weighs is learned from all languages.
 */
final class WordClasses {
    private static final String FUNCTION = "FUNCTION";
    private static final int STEM = 5;
    private static final int REACH = 24;

    private final Map<String, List<String>> words = new HashMap<>();
    private final Map<String, List<Sequence>> sequences = new HashMap<>();
    private final List<Sequence> patterns = new ArrayList<>();
    private final Map<String, String[]> spelling = new HashMap<>();

    /** Words in order, or one pattern, and the class of them. */
    private record Sequence(List<String> words, String name) {}

    /** A class that a message has, and the number of its clause. */
    private record Seen(String name, int clause) {}

    /** Adds the lines of a section: spellings or classes. */
    void add(String kind, List<String> lines) {
        for (String line : lines) {
            int equals = line.indexOf(" = ");
            String name = line.substring(0, equals);
            String value = line.substring(equals + 3);
            if (kind.equals("spelling")) {
                spelling.put(name, value.split(" "));
                continue;
            }
            for (String word : value.split("/")) {
                List<String> parts = List.of(word.split("_"));
                if (parts.size() > 1) {
                    sequences
                            .computeIfAbsent(parts.get(0), w -> new ArrayList<>())
                            .add(new Sequence(parts, name));
                } else if (Phrase.isPattern(word)) {
                    patterns.add(new Sequence(parts, name));
                } else {
                    words.computeIfAbsent(word, w -> new ArrayList<>()).add(name);
                }
            }
        }
    }

    /** How well this language fits: one point for a known word, two for a function word. */
    int points(List<Sentence> sentences) {
        int points = 0;
        for (Sentence sentence : sentences) {
            for (String word : sentence.words()) {
                List<String> names = words.getOrDefault(word, List.of());
                points += names.isEmpty() ? 0 : names.contains(FUNCTION) ? names.size() > 1 ? 3 : 2 : 1;
            }
        }
        return points;
    }

    /** The features of a message in this language. */
    Set<String> features(List<Sentence> sentences) {
        Set<String> features = new LinkedHashSet<>();
        Deque<Seen> seen = new ArrayDeque<>();
        int clause = 0;
        int count = 0;
        String previous = "^";
        for (Sentence given : sentences) {
            Sentence sentence = given.spelled(spelling);
            for (int at = 0; at < sentence.words().size(); at++) {
                String word = sentence.words().get(at);
                boolean first = sentence.isClauseStart(at);
                clause += first ? 1 : 0;
                features.add(word);
                features.add((first && at > 0 ? "," : previous) + '+' + word);
                if (word.length() > STEM) {
                    features.add(word.substring(0, STEM) + '*');
                }
                addClasses(classes(sentence, at), clause, first, seen, features);
                previous = word;
                count++;
            }
            previous = ".";
            if (sentence.isQuestion()) {
                features.add("QUESTION");
            }
        }
        features.add("LENGTH" + Math.min(5, count / 4));
        return features;
    }

    private static void addClasses(
            Set<String> names, int clause, boolean first, Deque<Seen> seen, Set<String> features) {
        for (String name : names) {
            features.add(name);
            if (first) {
                features.add("," + name);
            }
            for (Seen earlier : seen) {
                if (earlier.clause >= clause - 1) {
                    features.add(earlier.name + (earlier.clause == clause ? "-" : "|") + name);
                }
            }
        }
        for (String name : names) {
            seen.addLast(new Seen(name, clause));
        }
        while (seen.size() > REACH) {
            seen.removeFirst();
        }
    }

    /** The classes of the word at a position, and of the words in order that begin there. */
    private Set<String> classes(Sentence sentence, int at) {
        List<String> all = sentence.words();
        String word = all.get(at);
        Set<String> names = new LinkedHashSet<>(words.getOrDefault(word, List.of()));
        names.remove(FUNCTION);
        for (Sequence pattern : patterns) {
            if (Phrase.isWord(pattern.words.get(0), word)) {
                names.add(pattern.name);
            }
        }
        for (Sequence sequence : sequences.getOrDefault(word, List.of())) {
            int end = at + sequence.words.size();
            if (end <= all.size() && all.subList(at, end).equals(sequence.words)) {
                names.add(sequence.name);
            }
        }
        return names;
    }
}
