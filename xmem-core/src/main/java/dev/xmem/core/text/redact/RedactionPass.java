package dev.xmem.core.text.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one text: steps through the triggers, asks their finders, and builds the text without what they found. What
 * was found is never looked at again, and neither are placeholders. Used by one thread, once.
 */
final class RedactionPass {
    static final String OPEN = "[redacted:";

    private static final CharSet NAME = CharSet.of("a-z-");

    private final RedactionRules rules;
    private final PaddedText text;
    private final StringBuilder out = new StringBuilder();
    private final int begin;
    private int copied;
    private int resume;
    private @Nullable String first;

    /** Where the name ends that was judged last, and the cookies that were read last: neither is read again. */
    private int namesReadTo;

    private int cookiesReadTo;
    private List<CommandDetector.Option> options;

    RedactionPass(RedactionRules rules, String text, List<CommandDetector.Option> options) {
        this(rules, text, options, rules.triggers().next(text, 0));
    }

    /** A sweep of a text that has nothing to look at before an index. */
    RedactionPass(RedactionRules rules, String text, List<CommandDetector.Option> options, int begin) {
        this.rules = rules;
        this.begin = begin;
        this.text = new PaddedText(text);
        this.options = options;
    }

    /** The placeholder of a rule. */
    static String placeholder(String rule) {
        return OPEN + rule + "]";
    }

    /** The text without the secrets; the same one if there are none. */
    String swept() {
        read();
        if (first == null) {
            return text.string();
        }
        return out.append(text.string(), copied, text.length()).toString();
    }

    /** The rule that the first secret falls under; null if there is none. */
    @Nullable String firstRule() {
        read();
        return first;
    }

    private void read() {
        LiteralMatcher triggers = rules.triggers();
        String string = text.string();
        int i = begin;
        while (i < string.length()) {
            triggers.ask(this, i);
            i = triggers.next(string, Math.max(i + 1, resume));
        }
    }

    /** Whether the sweep goes on behind this index, because something around it was found. */
    boolean isPast(int at) {
        return resume > at;
    }

    PaddedText text() {
        return text;
    }

    /** Takes a stretch out. What begins before the last one ended loses only its rest. */
    void redact(int from, int to, String rule) {
        redact(from, to, rule, placeholder(rule));
    }

    /** With other words in its place. A colon before it that is the one of a placeholder says nothing. */
    void redact(int from, int to, String rule, String instead) {
        int start = Math.max(from, copied);
        if (start < to && !isPlaceholder(from - OPEN.length())) {
            out.append(text.string(), copied, start).append(instead);
            copied = to;
            resume = to;
            first = first == null ? rule : first;
        }
    }

    /** The more special rule of a value, which its own shape tells, or the one of its name. */
    String specific(int from, int to, String otherwise) {
        String special = rules.shapeOf(text, from, to);
        return special == null ? otherwise : special;
    }

    /** Whether one of our own placeholders begins here. */
    boolean isPlaceholder(int at) {
        return endOfPlaceholder(at) >= 0;
    }

    /** Goes on behind a placeholder if there is one. */
    void skipPlaceholder(int at) {
        resume = Math.max(resume, endOfPlaceholder(at));
    }

    /** Where the placeholder ends that begins here; -1 if there is none. */
    int endOfPlaceholder(int at) {
        if (!text.has(at, OPEN)) {
            return -1;
        }
        int from = at + OPEN.length();
        int close = NAME.endOfRun(text, from, RedactionRules.LONGEST_NAME);
        return text.at(close) == ']' && rules.names().contains(text.from(from, close)) ? close + 1 : -1;
    }

    int namesReadTo() {
        return namesReadTo;
    }

    void namesReadTo(int end) {
        namesReadTo = end;
    }

    int cookiesReadTo() {
        return cookiesReadTo;
    }

    void cookiesReadTo(int end) {
        cookiesReadTo = end;
    }

    /** The options that take a secret in the command that the sweep is in. */
    List<CommandDetector.Option> options() {
        return options;
    }

    void options(List<CommandDetector.Option> known) {
        options = known;
    }
}
