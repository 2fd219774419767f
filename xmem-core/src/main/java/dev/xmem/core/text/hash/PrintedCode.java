package dev.xmem.core.text.hash;

import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The code of an answer that a client prints in one line with the message. In front of it: {@code CODE: message},
 * {@code [CODE] message}, {@code CODE - message}, {@code api error CODE: message}. Behind it: {@code message (CODE)}.
 * Decision: docs/adr/0144-codes-beside-a-message.md.
 *
 * @param message the text without the code
 */
record PrintedCode(String code, String message) {
    private static final String NAME =
            "(?:[\\w.]{1,80}#)?((?:[\\w-]{1,40}\\.){0,8}[A-Za-z][a-z]{1,30}(?:_?[A-Z][a-z]{1,30}){0,6}"
                    + "|[a-z]{2,30}(?:_[a-z]{1,30}){1,8}|[A-Z]{2,30}(?:_[A-Z]{1,30}){0,8})";
    private static final LiteralPattern FRONT =
            new LiteralPattern("(?:[a-z]{1,20} error: )?([\\[(]?)" + NAME + "(\\]:?|\\):?|:| -) (\\S.*)");
    private static final LiteralPattern BEHIND =
            new LiteralPattern("(.+?):? [(]'?(?:(?:[eE]rror )?([cC]ode)[:=] ?)?" + NAME + "'?[)][.]?");
    private static final String WORD = " error ";
    private static final int MAX_CHARS = 2_000;

    /** The code that a text has beside its message, or null. */
    static @Nullable PrintedCode of(String text) {
        if (text.length() > MAX_CHARS) {
            return null;
        }
        int word = text.indexOf(": ") < 0 ? -1 : text.lastIndexOf(WORD);
        PrintedCode inner = word < 0 ? null : front(text.substring(word + WORD.length()), true);
        PrintedCode front = inner == null ? front(text, false) : inner;
        if (front != null) {
            return front;
        }
        Matcher behind = text.endsWith(")") || text.endsWith(").") ? BEHIND.matcher(text) : null;
        return behind != null && behind.matches() && (behind.group(2) != null || isCode(behind.group(3), false))
                ? new PrintedCode(behind.group(3), behind.group(1))
                : null;
    }

    private static @Nullable PrintedCode front(String text, boolean named) {
        Matcher front = FRONT.matcher(text);
        if (!front.matches()) {
            return null;
        }
        String end = front.group(3);
        boolean open = front.group(1).isEmpty();
        if (open == (end.charAt(0) == ']' || end.charAt(0) == ')')) {
            return null;
        }
        boolean apart = named || !open || end.equals(" -");
        return apart && !open || isCode(front.group(2), apart) ? new PrintedCode(front.group(2), front.group(4)) : null;
    }

    /**
     * Whether a name is a code: it names a cause, is a constant in capitals, or is a constant that stands apart from
     * the message, where no field of a request does.
     */
    private static boolean isCode(String name, boolean apart) {
        if (name.indexOf('_') > 0 && (apart || Character.isUpperCase(name.charAt(0)))) {
            return true;
        }
        String words = AnswerWords.of(name);
        return words.indexOf('-') > 0
                && (apart && AnswerWords.isGeneric(words)
                        || CauseLexicon.find(TokenizedLine.of(words.replace('-', ' '))) != null);
    }
}
