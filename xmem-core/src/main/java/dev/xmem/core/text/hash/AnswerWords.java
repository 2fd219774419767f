package dev.xmem.core.text.hash;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the words of a structured answer say: a cause, or only that a request failed with a status. */
final class AnswerWords {
    /** The statuses by their reasons, and by the status in front of its reason: {@code 404-not-found}. */
    private static final Map<String, String> STATUSES = new HashMap<>();

    static {
        for (String reason : WordTables.list("answer-reasons")) {
            STATUSES.put(reason, reason.substring(0, 3));
            STATUSES.put(reason.substring(4), reason.substring(0, 3));
        }
    }

    private static final Set<String> BARE = WordTables.list("answer-bare");
    private static final Set<String> GENERAL = WordTables.list("answer-general");
    private static final Set<String> ENDS = Set.of("error", "exception", "err", "fault");

    /** What stands beside a status: addresses, classes, numbers. */
    private static final LiteralPattern BESIDE =
            new LiteralPattern("\\w+://[^\\s\"'`]+|[(][\\w:]{1,60}[)]$|\\b[A-Z]{3,7} /\\S+|\\d+");

    private static final int MAX_REASON = 60;
    private static final int MAX_BARE = 400;
    private static final int MAX_WORDS = 5;

    private AnswerWords() {}

    /** Whether the words of a code, or of the name of an exception, name a cause. */
    static boolean isCause(String words) {
        PhraseMatcher.PhraseHit hit = CauseLexicon.find(TokenizedLine.of(words.replace('-', ' ')));
        return hit != null && !hit.value().weak();
    }

    /** The status of a message that is only the reason of a status, such as {@code Not Found}; or null. */
    static @Nullable String statusOf(String message) {
        return message.length() > MAX_REASON ? null : STATUSES.get(Slugs.kebab(message));
    }

    /** Whether the line only reports a status, as the exceptions of clients do: what was answered is beside it. */
    static boolean isBare(ScoredLine line) {
        ExceptionClass exception = line.exception();
        return line.text.length() <= MAX_BARE
                && hasStatus(line.text)
                && isBareBeside(exception == null ? line.text : exception.message());
    }

    /** Whether a text has a status and no word that tells more. */
    static boolean isBareStatus(String text) {
        return text.length() <= MAX_BARE && hasStatus(text) && isBareBeside(text);
    }

    /** Whether a text has only words that say that a request failed. */
    static boolean isBare(String text) {
        return Slugs.all(text, word -> !isMore(word));
    }

    /** Whether the text behind a status only has its reason and the address that was asked. */
    static boolean isBesideStatus(String text) {
        return text.length() <= MAX_BARE && text.contains("://") && isBareBeside(text);
    }

    private static boolean isBareBeside(String text) {
        return isBare(BESIDE.matcher(text).replaceAll(" "));
    }

    private static boolean isMore(String word) {
        return !BARE.contains(word) && !isGeneric(word);
    }

    /** Whether a text has three digits that can be the status of a failed request. */
    static boolean hasStatus(String text) {
        return hasStatus(text, '4') || hasStatus(text, '5');
    }

    private static boolean hasStatus(String text, char first) {
        int i = text.indexOf(first);
        while (i >= 0 && !(StructuredError.isStatus(text, i) && (i == 0 || !CharClasses.isDigit(text.charAt(i - 1))))) {
            i = text.indexOf(first, i + 1);
        }
        return i >= 0;
    }

    /** Whether the text only repeats that a request failed, the reason of an HTTP status, or the name of an API. */
    static boolean isGeneric(String text) {
        int prefixed = text.indexOf("-err-");
        return text.endsWith("-api")
                || prefixed > 0 && isGeneric(text.substring(prefixed + 5))
                || GENERAL.contains(text)
                || Slugs.all(text, word -> GENERAL.contains(word) || word.endsWith("error"));
    }

    /** Whether the words of a code are the id that a vendor gave a message, such as {@code tf200016}. */
    static boolean isVendor(String words) {
        int letters = 0;
        while (letters < words.length() && CharClasses.isLetter(words.charAt(letters))) {
            letters++;
        }
        int digits = letters;
        while (digits < words.length() && CharClasses.isDigit(words.charAt(digits))) {
            digits++;
        }
        return letters > 0 && letters <= 6 && digits - letters >= 4 && words.length() - digits <= 1;
    }

    /** The words of a code, joined by hyphens, without its name space and without words such as {@code error}. */
    static String of(String code) {
        int end = code.length();
        while (end > 0 && "./".indexOf(code.charAt(end - 1)) >= 0) {
            end--;
        }
        int from = Math.max(code.lastIndexOf('/', end - 1), code.lastIndexOf('.', end - 1)) + 1;
        List<String> words = List.of(Slugs.kebab(code.substring(from, end)).split("-", -1));
        int size = words.size();
        while (size > 1 && ENDS.contains(words.get(size - 1))) {
            size--;
        }
        return String.join("-", words.subList(0, Math.min(size, MAX_WORDS)));
    }
}
