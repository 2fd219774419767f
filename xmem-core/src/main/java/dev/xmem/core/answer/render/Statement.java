package dev.xmem.core.answer.render;

import dev.xmem.core.answer.render.AdviceText.AdvisedMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One statement of advice: to do something, or not to.
 *
 * @param from the match that makes it
 * @param phrase what it is about
 * @param against whether it says not to do it
 * @param support how many observations support it; negative if more contradict it
 * @param intro makes what is said before a lesson that is not the first
 * @param rendered renders the statement
 */
record Statement(
        Kind kind,
        AdvisedMatch from,
        ToldPhrase phrase,
        boolean against,
        int support,
        Supplier<String> intro,
        Supplier<String> rendered) {
    /** The part of the advice that a statement is. */
    enum Kind {
        LESSON,
        ANSWER,
        ATTEMPT
    }

    /** Words in front of what is advised: "run npm ci" advises {@code npm ci}. */
    private static final Set<String> VERBS = Set.of(
            "run", "use", "try", "do", "execute", "call", "type", "add", "first", "then", "the", "with", "please");

    private static final Set<String> NEGATIONS = Set.of(
            "not", "never", "no", "avoid", "don't", "dont", "without", "instead", "than", "stop", "cannot", "can't");

    private static final int NEGATED_WORDS = 4;
    private static final String SEPARATORS = " \t\n\u000B\f\r`'\"“”‘’(),;{}[]";

    /** The same statement with the support of another one. */
    Statement supportedBy(Statement other) {
        return new Statement(kind, from, phrase, against, support + other.support, intro, rendered);
    }

    /** What it is about; the steps of a fix are separated by newlines. */
    String text() {
        return phrase.text();
    }

    /** The statement as it is told. */
    String line() {
        return rendered.get();
    }

    /**
     * Removes one of any two statements of which one says not to do what the other advises: the one with less support.
     * Advice wins over an attempt that the same entry lists, and over equal support.
     */
    static List<Statement> withoutContradictions(List<Statement> statements, SplitTexts split) {
        List<Statement> kept = new ArrayList<>(statements);
        List<Steps> forbidden = steps(statements, true, split);
        List<Steps> advised = forbidden.isEmpty() ? List.of() : steps(statements, false, split);
        for (Steps steps : forbidden) {
            Statement against = steps.statement;
            for (Steps advice : advised) {
                if (advice.hasAnyOf(steps)) {
                    boolean own = against.from.match() == advice.statement.from.match()
                            || against.support <= advice.statement.support;
                    kept.remove(own ? against : advice.statement);
                }
            }
        }
        return kept;
    }

    private static List<Steps> steps(List<Statement> statements, boolean against, SplitTexts split) {
        List<Steps> steps = new ArrayList<>();
        for (Statement statement : statements) {
            if (statement.against == against) {
                steps.add(new Steps(statement, statement.phrase.words(), split));
            }
        }
        return steps;
    }

    /** The lines of a text as words; the steps are without the verbs in front of them. */
    record Split(String text, List<List<String>> lines, List<List<String>> steps) {
        static Split of(String text) {
            List<List<String>> lines = new ArrayList<>();
            List<List<String>> steps = new ArrayList<>();
            boolean oneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0 && !text.isEmpty();
            for (String line : oneLine ? List.of(text) : text.lines().toList()) {
                List<String> words = words(line);
                lines.add(words);
                steps.add(step(words));
            }
            return new Split(text, lines, steps);
        }
    }

    /** Remembers texts that were split, because the same entries are told again: a bounded number. Thread-safe. */
    static final class SplitTexts {
        private static final int SLOTS = 1024;
        private static final int MAX_CHARS = 1000;

        private final AtomicReferenceArray<@Nullable Split> slots = new AtomicReferenceArray<>(SLOTS);

        private Split of(String text) {
            if (text.length() > MAX_CHARS) {
                return Split.of(text);
            }
            int slot = (text.hashCode() ^ text.hashCode() >>> 16) & SLOTS - 1;
            Split known = slots.get(slot);
            if (known == null || !known.text.equals(text)) {
                known = Split.of(text);
                slots.set(slot, known);
            }
            return known;
        }
    }

    /** A statement and the words of its text. */
    private record Steps(Statement statement, ToldPhrase.WordHashes words, SplitTexts split) {
        /** Whether a line includes what is forbidden, or what is forbidden includes a step. */
        boolean hasAnyOf(Steps forbidden) {
            return words.mayOverlap(forbidden.words)
                    && hasAnyOf(split.of(statement.text()), split.of(forbidden.statement.text()));
        }

        private static boolean hasAnyOf(Split split, Split forbidden) {
            for (List<String> each : forbidden.steps) {
                for (int i = 0; i < split.lines.size(); i++) {
                    if (advises(split.lines.get(i), each) || includes(each, split.steps.get(i))) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** Those statements that neither repeat nor contradict what was said before. */
    static List<Statement> notSaid(List<Statement> statements, List<Statement> before) {
        List<Statement> kept = new ArrayList<>();
        for (Statement statement : statements) {
            boolean known = false;
            for (Statement said : before) {
                known |= statement.against == said.against
                        ? words(statement.text()).equals(words(said.text()))
                        : statement.against ? statement.isAbout(said) : said.isAbout(statement);
            }
            if (!known) {
                kept.add(statement);
            }
        }
        return kept;
    }

    /** Whether the advice includes what this statement says not to do, or this statement includes all of the advice. */
    private boolean isAbout(Statement advice) {
        return Steps.hasAnyOf(Split.of(advice.text()), Split.of(text()));
    }

    /** Whether a text names the step, not followed by further options and not in a negation. */
    private static boolean advises(List<String> text, List<String> step) {
        for (int i = 0; !step.isEmpty() && i + step.size() <= text.size(); i++) {
            int end = i + step.size();
            if (text.get(i).equals(step.get(0)) && text.subList(i, end).equals(step)) {
                boolean more = end < text.size() && text.get(end).startsWith("-");
                if (!more && !isNegated(text.subList(Math.max(0, i - NEGATED_WORDS), i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isNegated(List<String> before) {
        for (String word : before) {
            if (NEGATIONS.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the forbidden step includes all of an advised one that is specific: an option, or several words. */
    private static boolean includes(List<String> forbidden, List<String> advised) {
        boolean specific =
                advised.size() > 1 || advised.size() == 1 && advised.get(0).startsWith("-");
        return specific && advises(forbidden, advised);
    }

    private static List<String> step(List<String> words) {
        int from = 0;
        while (from < words.size() - 1 && VERBS.contains(words.get(from))) {
            from++;
        }
        return words.subList(from, words.size());
    }

    /** The words in lower case, without quotes and punctuation around them. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        String lower = text.toLowerCase(Locale.ROOT);
        int from = 0;
        for (int i = 0; i <= lower.length(); i++) {
            if (i == lower.length() || SEPARATORS.indexOf(lower.charAt(i)) >= 0) {
                String bare = from == i ? "" : TextSanitizer.withoutEndMarks(lower.substring(from, i));
                if (!bare.isEmpty()) {
                    words.add(bare);
                }
                from = i + 1;
            }
        }
        return words;
    }
}
