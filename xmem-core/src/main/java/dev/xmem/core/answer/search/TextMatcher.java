package dev.xmem.core.answer.search;

import dev.xmem.Query;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LineFields;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.text.regex.BoundedRegex;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Matches a literal or a regular expression against the decoded fields of a line, each on its own. Tests the line's
 * bytes first: a line is parsed only if they contain the text that every match contains, or an escape of one of its
 * characters.
 */
final class TextMatcher {
    private static final Set<String> NOTE_FIELDS = Set.of("content", "type", "tags", "meta");
    private static final long REGEX_STEPS = 50_000_000;

    private final boolean notes;
    private final Predicate<String> test;
    private final String required;
    private final @Nullable BytePattern bytes;
    /** The literal as bytes, where these tell that a line has it; else null. */
    private final @Nullable String plain;

    /**
     * A line that matches.
     *
     * @param fields its fields; null if they were not looked for
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    record FoundLine(byte[] bytes, @Nullable LineFields fields) {}

    private TextMatcher(boolean notes, String required, boolean literal, Predicate<String> test) {
        this.notes = notes;
        this.test = test;
        this.required = required;
        this.bytes = required.isEmpty() || !isPlain(required) ? null : new BytePattern(required);
        this.plain = literal && !notes && bytes != null ? bytes.plain() : null;
    }

    /** Whether a text is in the bytes of every line that has it: surrogates and replacement characters are not. */
    private static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0xFFFD || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** The matcher of a query; null unless it asks for a literal or a regular expression. */
    static @Nullable TextMatcher of(Query query) {
        if (query.textMode() == Query.TextMode.LITERAL) {
            return literal(query.text(), false, true);
        }
        return query.textMode() == Query.TextMode.REGEX ? regex(query.text(), false, true) : null;
    }

    /**
     * Matches a literal.
     *
     * @param notes whether to match only the strings of a note's content, type, tags and meta
     * @param prefilter whether to test the bytes first; the answer is the same
     */
    static TextMatcher literal(String text, boolean notes, boolean prefilter) {
        return new TextMatcher(notes, prefilter ? text : "", true, field -> field.contains(text));
    }

    /** As {@link #literal}, for a regular expression. The step budget is for all lines together. */
    static TextMatcher regex(String pattern, boolean notes, boolean prefilter) {
        BoundedRegex regex = BoundedRegex.compile(pattern);
        String literal = prefilter ? regex.requiredLiteral() : null;
        return new TextMatcher(notes, literal == null ? "" : literal, false, regex.finder(REGEX_STEPS));
    }

    /** A text that every field that matches contains; may be empty. */
    String required() {
        return required;
    }

    /** The pattern that is in the bytes of every line that matches; null if there is none. */
    @Nullable BytePattern bytes() {
        return bytes;
    }

    /** The line if a field of it matches; else null. */
    @Nullable FoundLine find(byte[] line) {
        LineFields fields = plain == null ? null : LineCodec.surelyHaving(line, plain);
        return fields != null || matches(line) ? new FoundLine(line, fields) : null;
    }

    private boolean matches(byte[] line) {
        if (bytes != null && !bytes.in(line)) {
            return false;
        }
        boolean[] found = {false};
        try {
            LineCodec.texts(line, notes, (field, text) -> {
                found[0] = (!notes || NOTE_FIELDS.contains(field)) && test.test(text);
                return !found[0];
            });
        } catch (MalformedLineException e) {
            return false;
        }
        return found[0];
    }
}
