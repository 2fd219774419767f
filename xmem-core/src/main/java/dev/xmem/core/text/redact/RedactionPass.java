package dev.xmem.core.text.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one text: runs the detectors of its triggers and builds the text with placeholders for what they
 * redact. Redacted ranges and existing placeholders are not examined again. For one thread and one use.
 */
final class RedactionPass {
    static final String OPEN = "[redacted:";

    private static final CharSet NAME = CharSet.of("a-z-");

    final PaddedText text;

    /** The index at which the pass resumes after the last redacted range. */
    int resume;

    /** The end of the last name that was examined; no name is examined twice. */
    int namesReadTo;

    /** The end of the last cookies that were read; no cookie is read twice. */
    int cookiesReadTo;

    /** The options that take a secret in the current command. */
    List<CommandDetector.Option> options;

    private final RedactionRules rules;
    private final StringBuilder out = new StringBuilder();
    private int copied;
    private @Nullable String firstRule;

    RedactionPass(RedactionRules rules, String text, List<CommandDetector.Option> options) {
        this.rules = rules;
        this.text = new PaddedText(text);
        this.options = options;
    }

    static String placeholder(String rule) {
        return OPEN + rule + "]";
    }

    /** Runs the pass. Returns the text with placeholders for its secrets: the same string if there are none. */
    String redacted() {
        return firstRule() == null
                ? text.string()
                : out.append(text.string(), copied, text.length()).toString();
    }

    /** Runs the pass. Returns the rule of the first secret; null if there is none. */
    @Nullable String firstRule() {
        LiteralMatcher triggers = rules.triggers;
        String string = text.string();
        int i = triggers.next(string, 0);
        while (i < string.length()) {
            triggers.detect(this, i);
            i = triggers.next(string, Math.max(i + 1, resume));
        }
        return firstRule;
    }

    /** Redacts a range unless it is benign, by the rule of its own shape if it has one. */
    void redactValue(int from, int to, String rule) {
        if (from < to && !isBenign(from, to)) {
            redact(from, to, specific(from, to, rule));
        }
    }

    /**
     * Replaces a range by the placeholder of a rule. Of a range that overlaps the last one only the rest is replaced.
     */
    void redact(int from, int to, String rule) {
        redact(from, to, rule, placeholder(rule));
    }

    /** Replaces a range by a given text. The part of a placeholder after its colon is never replaced. */
    void redact(int from, int to, String rule, String replacement) {
        int start = Math.max(from, copied);
        if (start < to && endOfPlaceholder(from - OPEN.length()) < 0) {
            out.append(text.string(), copied, start).append(replacement);
            copied = to;
            resume = to;
            firstRule = firstRule == null ? rule : firstRule;
        }
    }

    /** The rule of the shape that a value has; else the given rule of its name. */
    String specific(int from, int to, String otherwise) {
        String special = rules.shapeOf(text, from, to);
        return special == null ? otherwise : special;
    }

    /** Whether a value is a placeholder, or no secret by {@link FalsePositiveFilter}. */
    boolean isBenign(int from, int to) {
        return endOfPlaceholder(from) >= 0 || rules.filter.isBenign(text, from, to);
    }

    /** Resumes after the placeholder that starts at an index, if there is one. */
    void skipPlaceholder(int at) {
        resume = Math.max(resume, endOfPlaceholder(at));
    }

    /** The end of the placeholder that starts at an index; -1 if there is none. */
    int endOfPlaceholder(int at) {
        if (!text.has(at, OPEN)) {
            return -1;
        }
        int from = at + OPEN.length();
        int close = NAME.endOfRun(text, from, RedactionRules.LONGEST_NAME);
        return text.at(close) == ']' && rules.placeholders.contains(text.from(from, close)) ? close + 1 : -1;
    }
}
