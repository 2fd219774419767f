package dev.xmem.core.agent.guard;

import dev.xmem.core.text.analysis.RuleFile;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Detects messages in which a user complains that the same thing went wrong again, in the languages of {@code
 * frustration.txt}. Reads the first and the last thousand characters of what the user wrote, without pasted code and
 * logs. The rules are read at the first message. Stateless. Decision: docs/adr/0037-complaints-by-word-classes.md.
 */
final class FrustrationDetector {
    private FrustrationDetector() {}

    /** The rules, read once. */
    private static final class Rules {
        static final List<Language> ALL = read();

        private static List<Language> read() {
            Map<String, Language> languages = new HashMap<>();
            for (RuleFile.Section section : RuleFile.sections(FrustrationDetector.class, "frustration.txt")) {
                int blank = section.header().indexOf(' ');
                String name = blank < 0 ? section.header() : section.header().substring(0, blank);
                String kind = blank < 0 ? "" : section.header().substring(blank + 1);
                languages.computeIfAbsent(name, n -> new Language()).add(kind, section.body());
            }
            return List.copyOf(languages.values());
        }
    }

    /** The phrases of one language, by the kinds that {@code frustration.txt} describes. */
    private static final class Language {
        private final Map<String, List<String>> classes = new HashMap<>();
        private final List<Phrase> complaints = new ArrayList<>();
        private final List<Phrase> requests = new ArrayList<>();
        private final List<Phrase> questions = new ArrayList<>();
        private final List<Phrase> conditions = new ArrayList<>();
        private final List<Phrase> never = new ArrayList<>();
        private final List<Phrase> breaks = new ArrayList<>();
        private final Map<String, String[]> spelling = new HashMap<>();
        private final List<String[]> characters = new ArrayList<>();
        private final List<String[]> neverCharacters = new ArrayList<>();

        void add(String kind, List<String> lines) {
            for (String line : lines) {
                int equals = line.indexOf(" = ");
                if (kind.equals("spelling")) {
                    spelling.put(
                            line.substring(0, equals),
                            line.substring(equals + 3).split(" "));
                } else if (equals > 0) {
                    classes.put(line.substring(0, equals), Phrase.alternatives(line.substring(equals + 3), classes));
                } else if (isWritten(line)) {
                    phrases(kind).add(new Phrase(line, classes));
                } else {
                    (kind.equals("never") ? neverCharacters : characters).add(line.split("…"));
                }
            }
        }

        private List<Phrase> phrases(String kind) {
            return switch (kind) {
                case "" -> complaints;
                case "request" -> requests;
                case "question" -> questions;
                case "condition" -> conditions;
                case "never" -> never;
                case "break" -> breaks;
                default -> throw new IllegalStateException("unknown kind " + kind);
            };
        }

        /** Whether a phrase is of a language that is written with blanks. */
        private static boolean isWritten(String phrase) {
            return phrase.indexOf(' ') >= 0 || phrase.chars().noneMatch(c -> c >= 0x2E80);
        }

        boolean complains(Sentence given) {
            Sentence spelled = given.spelled(spelling);
            Sentence sentence = breaks.isEmpty() ? spelled : spelled.brokenAt(breaks);
            for (int at = 0; at < sentence.words().size(); at++) {
                if (Phrase.anyBetween(complaints, sentence, at, at + 1) && !isOther(sentence, at)) {
                    return !isHarmless(sentence);
                }
            }
            return anyIn(characters, given.text()) && !anyIn(neverCharacters, given.text());
        }

        /** Whether a sentence is another question, or has a phrase that no complaint has. */
        private boolean isHarmless(Sentence sentence) {
            int end = sentence.words().size();
            boolean asks = sentence.isQuestion() && !questions.isEmpty();
            return asks && !Phrase.anyBetween(questions, sentence, 0, end)
                    || Phrase.anyBetween(never, sentence, 0, end);
        }

        /** Whether the clause in which a complaint begins is a request or a condition. */
        private boolean isOther(Sentence sentence, int complaint) {
            int clause = sentence.clauseOf(complaint);
            return Phrase.anyBetween(requests, sentence, clause, clause + 1)
                    || Phrase.anyBetween(conditions, sentence, clause, complaint);
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
        for (Sentence sentence : Sentence.of(folded(Prose.of(message)))) {
            for (Language language : Rules.ALL) {
                if (language.complains(sentence)) {
                    return true;
                }
            }
        }
        return false;
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
