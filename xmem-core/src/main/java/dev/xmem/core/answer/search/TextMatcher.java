package dev.xmem.core.answer.search;

import dev.xmem.Query;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.text.regex.BoundedRegex;
import dev.xmem.core.text.regex.RegexBudget;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A text or a regular expression to be found inside one decoded field of a line. The line's bytes are looked at first:
 * where a part that must be there is not, and nothing in the line is escaped that could be of it, the line need not be parsed.
 */
final class TextMatcher {
    private static final Set<String> NOTE_FIELDS = Set.of("content", "type", "tags", "meta");
    private static final long REGEX_STEPS = 50_000_000;

    private final LineCodec codec;
    private final boolean inNote;
    private final Predicate<String> test;
    private final String requiredText;
    private final @Nullable BytePattern bytes;

    private TextMatcher(LineCodec codec, boolean inNote, @Nullable String required, Predicate<String> test) {
        this.requiredText = required == null ? "" : required;
        this.codec = codec;
        this.inNote = inNote;
        this.test = test;
        this.bytes = requiredText.isEmpty() || !isPlain(requiredText) ? null : new BytePattern(requiredText);
    }

    /** Whether the bytes of a text are in every line that has it: half a character, and what stands for broken ones, are not. */
    private static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0xFFFD || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** What a query asks for; null unless that is a text as it stands or a regular expression. */
    static @Nullable TextMatcher of(LineCodec codec, Query query) {
        return switch (query.textMode()) {
            case LITERAL -> literal(codec, query.text());
            case REGEX -> regex(codec, query.text());
            case NONE, WORDS -> null;
        };
    }

    /** A text that stands in every field that has what is looked for; empty if there is none. */
    String required() {
        return requiredText;
    }

    /** A text as it stands. */
    public static TextMatcher literal(LineCodec codec, String text) {
        return new TextMatcher(codec, false, text, field -> field.contains(text));
    }

    /** A regular expression, with so many steps for all lines together. */
    public static TextMatcher regex(LineCodec codec, String pattern) {
        BoundedRegex regex = BoundedRegex.compile(pattern, false);
        return new TextMatcher(codec, false, regex.requiredLiteral(), finder(regex));
    }

    /**
     * A text as it stands, in the strings of a note's content, type, tags and meta.
     *
     * @param bytesFirst whether a look at the bytes may spare the parsing; the answer is the same
     */
    static TextMatcher literalInNote(LineCodec codec, String text, boolean bytesFirst) {
        return new TextMatcher(codec, true, bytesFirst ? text : null, field -> field.contains(text));
    }

    /** As {@link #literalInNote}, for a regular expression. */
    static TextMatcher regexInNote(LineCodec codec, String pattern, boolean bytesFirst) {
        BoundedRegex regex = BoundedRegex.compile(pattern, false);
        return new TextMatcher(codec, true, bytesFirst ? regex.requiredLiteral() : null, finder(regex));
    }

    private static Predicate<String> finder(BoundedRegex regex) {
        RegexBudget budget = new RegexBudget(REGEX_STEPS);
        return field -> regex.find(field, budget);
    }

    /** Whether one of the line's texts has it. */
    public boolean in(byte[] line) {
        if (bytes != null && !bytes.in(line)) {
            return false;
        }
        boolean[] found = {false};
        try {
            codec.texts(line, inNote, (field, text) -> {
                found[0] = (!inNote || NOTE_FIELDS.contains(field)) && test.test(text);
                return !found[0];
            });
        } catch (MalformedLineException e) {
            return false;
        }
        return found[0];
    }

    /** What a line has in its bytes if it may hold what is looked for; null if they tell nothing. */
    @Nullable BytePattern bytes() {
        return bytes;
    }
}
