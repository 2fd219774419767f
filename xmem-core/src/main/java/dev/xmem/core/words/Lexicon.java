package dev.xmem.core.words;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the room knows of the language: four text files beside this class, read once. Immutable.
 *
 * <ul>
 *   <li>{@code words.txt}: stop words, filler (skipped inside phrases), negations, and words so common in talk of
 *       failures that they say little.
 *   <li>{@code forms.txt}: irregular forms, {@code found = find}.
 *   <li>{@code synonyms.txt}: {@code k8s, kubernetes = kubectl}; used on requests only.
 *   <li>{@code causes.txt}: {@code already-exists: already exist; is taken; EEXIST}; used on entries and requests.
 * </ul>
 *
 * Phrases are matched over stems, with filler left out and every negation read as {@code not}.
 */
final class Lexicon {
    private static final Lexicon STANDARD = new Lexicon();

    private final Map<String, Entry> building = new HashMap<>();
    private final Entry[] table;

    /** A word that the lexicon knows, or a node further along a phrase. */
    static final class Entry {
        final String word;
        boolean stop;
        boolean filler;
        boolean negation;
        boolean weak;
        @Nullable String form;
        final Node start = new Node();

        Entry(String word) {
            this.word = word;
        }
    }

    /** A place inside phrases: what ends here and what may follow. */
    static final class Node {
        private final Map<Entry, Node> next = new HashMap<>(4);
        private final List<String> causes = new ArrayList<>(1);
        private final List<Synonyms> synonyms = new ArrayList<>(1);
        private boolean gap;

        @Nullable Node after(Entry word) {
            return next.get(word);
        }

        List<String> causes() {
            return causes;
        }

        List<Synonyms> synonyms() {
            return synonyms;
        }

        /** Whether up to two words may stand before the next. */
        boolean hasGap() {
            return gap;
        }

        boolean isDead() {
            return next.isEmpty() && causes.isEmpty() && synonyms.isEmpty();
        }
    }

    private Lexicon() {
        readWords();
        readForms();
        readSynonyms();
        readCauses();
        table = tableOf(building);
        building.clear();
    }

    static Lexicon standard() {
        return STANDARD;
    }

    /** The entry of this word, in lower case or stemmed. */
    @Nullable Entry find(char[] chars, int length) {
        int mask = table.length - 1;
        for (int slot = Chars.hash(chars, length) & mask; ; slot = (slot + 1) & mask) {
            Entry entry = table[slot];
            if (entry == null || Chars.equal(chars, length, entry.word)) {
                return entry;
            }
        }
    }

    private static Entry[] tableOf(Map<String, Entry> entries) {
        Entry[] slots = new Entry[Integer.highestOneBit(entries.size()) * 8];
        for (Entry entry : entries.values()) {
            char[] chars = entry.word.toCharArray();
            int slot = Chars.hash(chars, chars.length) & (slots.length - 1);
            while (slots[slot] != null) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = entry;
        }
        return slots;
    }

    private void readWords() {
        for (String line : lines("words.txt")) {
            int colon = line.indexOf(':');
            String kind = line.substring(0, colon).strip();
            for (String word : line.substring(colon + 1).strip().split("\\s+")) {
                mark(word, kind);
            }
        }
    }

    private void mark(String word, String kind) {
        switch (kind) {
            case "stop" -> entry(word).stop = true;
            case "filler" -> {
                entry(word).stop = true;
                entry(word).filler = true;
            }
            case "not" -> {
                entry(word).stop = true;
                entry(word).negation = true;
            }
            case "weak" -> entry(stem(word)).weak = true;
            default -> throw new IllegalStateException("words.txt: " + kind);
        }
    }

    private void readForms() {
        for (String line : lines("forms.txt")) {
            int equals = line.indexOf('=');
            String base = stem(line.substring(equals + 1).strip());
            for (String form : line.substring(0, equals).strip().split("[,\\s]+")) {
                entry(form).form = base;
            }
        }
    }

    private void readSynonyms() {
        for (String line : lines("synonyms.txt")) {
            String[] sides = line.split("=");
            if (sides.length == 1) {
                everyOtherOf(List.of(sides[0].split(",")));
            } else {
                oneWay(List.of(sides[0].split(",")), List.of(sides[1].split(",")));
            }
        }
    }

    private void everyOtherOf(List<String> words) {
        for (String word : words) {
            List<String> others = new ArrayList<>(words);
            others.remove(word);
            oneWay(List.of(word), others);
        }
    }

    private void oneWay(List<String> phrases, List<String> words) {
        Set<Synonyms.Alternative> alternatives = new LinkedHashSet<>();
        for (String word : words) {
            alternatives.add(alternative(word.strip()));
        }
        Synonyms synonyms = new Synonyms(List.copyOf(alternatives));
        for (String phrase : phrases) {
            nodeOf(phrase).synonyms.add(synonyms);
        }
    }

    private Synonyms.Alternative alternative(String text) {
        int at = text.indexOf('*');
        String word = at < 0 ? text : text.substring(0, at);
        double weight = at < 0 ? Tuning.SYNONYM : Double.parseDouble(text.substring(at + 1));
        return new Synonyms.Alternative(normal(word), weight);
    }

    private void readCauses() {
        for (String line : lines("causes.txt")) {
            int colon = line.indexOf(':');
            String cause = "#" + line.substring(0, colon).strip();
            String[] phrases = line.substring(colon + 1).split("\\|");
            causes(phrases[0], cause);
            if (phrases.length > 1) {
                asked(phrases[1], new Synonyms(List.of(new Synonyms.Alternative(cause, Tuning.ASKED))));
            }
        }
    }

    private void causes(String phrases, String cause) {
        for (String phrase : phrases.split(";")) {
            List<String> causes = nodeOf(phrase).causes;
            if (!causes.contains(cause)) {
                causes.add(cause);
            }
        }
    }

    private void asked(String phrases, Synonyms cause) {
        for (String phrase : phrases.split(";")) {
            Node node = nodeOf(phrase);
            if (!node.synonyms.contains(cause)) {
                node.synonyms.add(cause);
            }
        }
    }

    private Node nodeOf(String phrase) {
        Node node = null;
        boolean onlyNot = true;
        for (String raw : phrase.strip().replaceAll("\\w+n't\\b", "not").split("[\\s\\-_./']+")) {
            if (raw.equals("*") && node != null) {
                node.gap = true;
                continue;
            }
            Entry word = entry(normal(raw));
            if (word.filler) {
                continue;
            }
            word = word.negation ? entry("not") : word;
            onlyNot &= word.negation;
            node = node == null ? word.start : node.next.computeIfAbsent(word, unused -> new Node());
        }
        if (node == null || onlyNot) {
            throw new IllegalStateException("a phrase that says nothing: " + phrase);
        }
        return node;
    }

    /** A word as the analyser would make it. */
    private String normal(String raw) {
        String lower = raw.strip().toLowerCase(Locale.ROOT);
        Entry known = building.get(lower);
        if (known != null && known.form != null) {
            return known.form;
        }
        return known != null && known.stop ? lower : stem(lower);
    }

    private static String stem(String word) {
        char[] chars = word.toCharArray();
        return new String(chars, 0, Stemmer.stem(chars, chars.length));
    }

    private Entry entry(String word) {
        return building.computeIfAbsent(word, Entry::new);
    }

    private static List<String> lines(String name) {
        List<String> lines = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(Lexicon.class.getResourceAsStream(name), name);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("//")) {
                    lines.add(line.strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
        return lines;
    }
}
