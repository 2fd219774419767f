package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.LowerCase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An instruction in an entry that was shown to an agent.
 *
 * <p>A suggestion is <em>followed</em> if it names what the agent did differently afterwards: the words that the next
 * call added, or a call in between. A call that merely succeeded is no vote for advice that said something else.
 *
 * @param id the id of the entry
 * @param text the part of the entry that can be followed, at most 1,024 characters
 */
record Suggestion(String id, String text) {
    private static final int MAX_SUGGESTIONS = 6;
    private static final int MAX_CHARS = 1024;
    private static final int MIN_WORD_CHARS = 3;

    /** The suggestions in an advice that was shown, at most six. */
    static List<Suggestion> of(Advice advice) {
        List<Suggestion> all = new ArrayList<>();
        for (Match match : advice.isEmpty() ? List.<Match>of() : advice.matches()) {
            String text = text(match.entry());
            if (!text.isBlank() && all.size() < MAX_SUGGESTIONS) {
                all.add(new Suggestion(match.entry().id(), CallTruncation.head(text, MAX_CHARS)));
            }
        }
        return all;
    }

    /** Whether the text is that of the stored entry, and was not carried over to another subject. */
    boolean isOf(Entry entry) {
        return text.equals(CallTruncation.head(text(entry), MAX_CHARS));
    }

    private static String text(Entry entry) {
        if (entry instanceof Failure failure) {
            String avoid = failure.patternAvoid();
            return avoid == null ? "" : avoid.replace('\n', ' ');
        }
        return entry instanceof Success success
                ? success.patternName() + '\n' + String.join("\n", success.keySteps())
                : "";
    }

    /** Whether the agent followed the suggestion, judging by two calls that differ and the calls between them. */
    boolean isFollowedBy(CallDiff difference, List<SessionCall> between) {
        String lower = LowerCase.of(text);
        Set<String> advised = words(lower);
        Set<String> added = new LinkedHashSet<>();
        difference.added().forEach(item -> added.addAll(words(LowerCase.of(item))));
        long known = added.stream().filter(advised::contains).count();
        boolean distinctive = added.stream()
                .anyMatch(word -> (word.startsWith("-") || word.length() >= MIN_WORD_CHARS) && advised.contains(word));
        return distinctive && 2 * known >= added.size() && hasNoOtherValue(added, advised, lower)
                || between.stream().anyMatch(call -> names(lower, advised, call));
    }

    /** Whether the text names a call that succeeded: the whole line, or half of its words and at least two. */
    private static boolean names(String text, Set<String> advised, SessionCall call) {
        if (call.failure() != null || call.isReadOnly()) {
            return false;
        }
        String line = LowerCase.of(call.line());
        Set<String> words = words(line);
        long known = words.stream().filter(advised::contains).count();
        return text.contains(line) || known >= 2 && 2 * known >= words.size() && hasNoOtherValue(words, advised, text);
    }

    /**
     * Whether the agent used the values of a fix: no other values, or all words of one of its lines. A lesson of one
     * line of prose leaves the values to the agent.
     */
    private static boolean hasNoOtherValue(Set<String> done, Set<String> advised, String text) {
        return text.strip().indexOf('\n') < 0
                || done.stream().allMatch(word -> word.startsWith("-") || advised.contains(word))
                || text.lines()
                        .map(line -> words(line.replaceFirst("^(?:add|first) |^.* → ", "")))
                        .anyMatch(line -> !line.isEmpty() && done.containsAll(line));
    }

    /** The words of a command line or a sentence, without quotes, brackets and final punctuation. */
    private static Set<String> words(String text) {
        Set<String> words = new LinkedHashSet<>();
        for (String word : text.split("[\\s`'\"“”‘’(),;{}\\[\\]]+", -1)) {
            words.add(TextSanitizer.withoutEndMarks(word));
        }
        words.remove("");
        return words;
    }
}
