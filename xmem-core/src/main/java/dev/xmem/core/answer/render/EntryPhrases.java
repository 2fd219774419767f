package dev.xmem.core.answer.render;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.core.base.json.StoredEntries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The phrases of one entry that advice tells: lessons, attempts, the steps of a fix. Prepared when they are first told,
 * and kept as long as this object unless they are many or long. Thread-safe: what is prepared twice is equal. Decision:
 * docs/adr/0090-lines-in-one-pass.md.
 */
final class EntryPhrases {
    /** The most characters of a value that is told. */
    static final int VALUE_CHARS = 300;

    /** The most lessons of an entry that are told; later ones are not read. */
    private static final int MOST_LESSONS = 16;

    private static final int KEPT_PHRASES = 32;
    private static final int KEPT_CHARS = 1000;
    /** What a phrase takes in memory beside its characters: objects, and the hash codes of its words. */
    private static final int PHRASE_BYTES = 256;

    private static final Pattern PATH = Pattern.compile("[./-]");
    private static final Set<String> READERS = Set.of("cat", "head", "tail", "less", "more", "grep");

    private final Entry entry;
    private volatile @Nullable List<ToldPhrase> lessons;
    private volatile @Nullable List<ToldPhrase> attempts;
    private volatile @Nullable ToldPhrase answer;

    /** The phrases of an entry with all its votes and amendments. */
    EntryPhrases(Entry entry) {
        this.entry = entry;
    }

    /** About what the phrases that are kept take in memory beside their characters. */
    int bytes() {
        int phrases = 1;
        if (entry instanceof Failure failure) {
            phrases += Math.min(KEPT_PHRASES, failure.triedAlso().size())
                    + Math.min(
                            MOST_LESSONS,
                            StoredEntries.texts(failure, "further_advice").size());
        }
        return PHRASE_BYTES * phrases;
    }

    /**
     * The failure's own lesson, then those of the lines that a compaction merged into it, each once; none of another
     * entry. The first may be empty.
     */
    List<ToldPhrase> lessons() {
        List<ToldPhrase> known = lessons;
        if (known == null) {
            known = entry instanceof Failure failure ? lessons(failure) : List.of();
            lessons = known;
        }
        return known;
    }

    private static List<ToldPhrase> lessons(Failure failure) {
        List<String> texts = new ArrayList<>();
        if (failure.patternAvoid() != null) {
            texts.add(failure.patternAvoid());
        }
        texts.addAll(StoredEntries.texts(failure, "further_advice"));
        Map<String, ToldPhrase> lessons = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < texts.size() && lessons.size() <= MOST_LESSONS; i++) {
            String line = seen.add(texts.get(i)) ? PromptEscaping.line(texts.get(i), VALUE_CHARS) : "";
            if (i == 0 || !line.isEmpty()) {
                lessons.putIfAbsent(line, new ToldPhrase(line, () -> PromptEscaping.said(line, line.length() + 2)));
            }
        }
        return List.copyOf(lessons.values());
    }

    /** Whether a failure lists anything that was tried. */
    boolean hasAttempts() {
        return entry instanceof Failure failure && !failure.triedAlso().isEmpty();
    }

    /** What a failure says was tried in vain, without what only reads it again. */
    List<ToldPhrase> attempts() {
        List<ToldPhrase> known = attempts;
        if (known == null) {
            known = entry instanceof Failure failure ? attempts(failure) : List.of();
            attempts = known.size() <= KEPT_PHRASES ? known : null;
        }
        return known;
    }

    private static List<ToldPhrase> attempts(Failure failure) {
        List<ToldPhrase> attempts = new ArrayList<>();
        String action = call(failure.action());
        for (String attempt : failure.triedAlso()) {
            String line = PromptEscaping.line(attempt, VALUE_CHARS);
            if (!line.isEmpty() && !readsAgain(line, failure.tool(), action)) {
                attempts.add(new ToldPhrase(line, () -> listed(line)));
            }
        }
        return List.copyOf(attempts);
    }

    /** An attempt in the list of attempts, which semicolons separate. */
    private static String listed(String line) {
        int most = line.length() + 2;
        return line.indexOf(';') >= 0 ? PromptEscaping.quoted(line, most) : PromptEscaping.said(line, most);
    }

    /** Whether an attempt only reads the failure again: the same call with another view of its output, or a file. */
    private static boolean readsAgain(String attempt, String tool, String action) {
        int word = attempt.indexOf(' ');
        boolean reader = READERS.contains(word < 0 ? attempt : attempt.substring(0, word))
                && PATH.matcher(attempt).find();
        String call = call(attempt);
        return reader || call.equals(action) || call.equals(tool + " " + action);
    }

    /** The part of a command line before its first redirection, pipe or second command. */
    private static String call(String line) {
        int end = 0;
        while (end < line.length() && "|;>".indexOf(line.charAt(end)) < 0 && !line.startsWith("&&", end)) {
            end++;
        }
        boolean stream = end > 0
                && end < line.length()
                && line.charAt(end) == '>'
                && line.charAt(end - 1) >= '0'
                && line.charAt(end - 1) <= '9';
        return line.substring(0, stream ? end - 1 : end).strip();
    }

    /** The steps of a success, or its name if it has none. */
    ToldPhrase answer(Success success) {
        ToldPhrase known = answer;
        if (known == null) {
            String steps = String.join("\n", success.keySteps());
            known = new ToldPhrase(steps.isEmpty() ? success.patternName() : steps, () -> fix(success));
            answer = known.text().length() <= KEPT_CHARS ? known : null;
        }
        return known;
    }

    private static String fix(Success success) {
        String steps = PromptEscaping.line(String.join("; ", success.keySteps()), VALUE_CHARS);
        String name = PromptEscaping.line(success.patternName(), VALUE_CHARS);
        String fix = name + (steps.isEmpty() ? "" : ": " + steps);
        return PromptEscaping.said(fix, fix.length() + 2);
    }
}
