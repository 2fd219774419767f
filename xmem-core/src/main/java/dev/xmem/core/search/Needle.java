package dev.xmem.core.search;

import dev.xmem.Query;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.record.TextVisitor;
import dev.xmem.core.words.BoundedRegex;
import dev.xmem.core.words.StepBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A text or a regular expression to be found inside one decoded field of a line. The line's bytes are looked at first:
 * where a part that must be there is not, and nothing in the line is escaped that could be of it, the line need not be parsed.
 */
public final class Needle {
    private static final Set<String> NOTE_FIELDS = Set.of("content", "type", "tags", "meta");
    /** The characters for which JSON has an escape of one letter, each with it. */
    private static final String SHORT_ESCAPES = "\"\"\\\\//\bb\ff\nn\rr\tt";

    private static final long REGEX_STEPS = 50_000_000;

    private final LineCodec codec;
    private final boolean inNote;
    private final Predicate<String> test;
    private final String requiredText;
    private final String required;
    private final List<String> escapes;

    private Needle(LineCodec codec, boolean inNote, @Nullable String required, Predicate<String> test) {
        this.requiredText = required == null ? "" : required;
        this.codec = codec;
        this.inNote = inNote;
        this.test = test;
        this.required = required == null || !isPlain(required)
                ? ""
                : new String(required.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        this.escapes = escapes(required == null ? "" : required);
    }

    /** How JSON may write one of a text's characters, other than as it is: any by its number, a few by a letter. */
    private static List<String> escapes(String text) {
        List<String> escapes = new ArrayList<>();
        escapes.add("\\u");
        for (int i = 0; i < SHORT_ESCAPES.length(); i += 2) {
            if (text.indexOf(SHORT_ESCAPES.charAt(i)) >= 0) {
                escapes.add("\\" + SHORT_ESCAPES.charAt(i + 1));
            }
        }
        return escapes;
    }

    /** Whether the bytes of a text are in every line that has it: half a character, and what stands for broken ones, are not. */
    private static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0xFFFD || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** What a query asks for; null unless that is a text as it stands or a regular expression. */
    static @Nullable Needle of(LineCodec codec, Query query) {
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
    public static Needle literal(LineCodec codec, String text) {
        return new Needle(codec, false, text, field -> field.contains(text));
    }

    /** A regular expression, with so many steps for all lines together. */
    public static Needle regex(LineCodec codec, String pattern) {
        BoundedRegex regex = BoundedRegex.compile(pattern, false);
        return new Needle(codec, false, regex.requiredLiteral(), finder(regex));
    }

    /**
     * A text as it stands, in the strings of a note's content, type, tags and meta.
     *
     * @param bytesFirst whether a look at the bytes may spare the parsing; the answer is the same
     */
    static Needle literalInNote(LineCodec codec, String text, boolean bytesFirst) {
        return new Needle(codec, true, bytesFirst ? text : null, field -> field.contains(text));
    }

    /** As {@link #literalInNote}, for a regular expression. */
    static Needle regexInNote(LineCodec codec, String pattern, boolean bytesFirst) {
        BoundedRegex regex = BoundedRegex.compile(pattern, false);
        return new Needle(codec, true, bytesFirst ? regex.requiredLiteral() : null, finder(regex));
    }

    private static Predicate<String> finder(BoundedRegex regex) {
        StepBudget budget = new StepBudget(REGEX_STEPS);
        return field -> regex.find(field, budget);
    }

    /** Whether one of the line's texts has it. */
    public boolean in(byte[] line) {
        if (!required.isEmpty() && !mayHave(line)) {
            return false;
        }
        boolean[] found = {false};
        try {
            TextVisitor visitor = (field, text) -> {
                found[0] = (!inNote || NOTE_FIELDS.contains(field)) && test.test(text);
                return !found[0];
            };
            if (inNote) {
                codec.strings(line, visitor);
            } else {
                codec.texts(line, visitor);
            }
        } catch (MalformedLineException e) {
            return false;
        }
        return found[0];
    }

    /** Bytes are compared as narrow characters, for which the JVM has fast instructions. */
    private boolean mayHave(byte[] line) {
        String bytes = new String(line, StandardCharsets.ISO_8859_1);
        if (bytes.contains(required)) {
            return true;
        }
        for (String escape : escapes) {
            if (bytes.contains(escape)) {
                return true;
            }
        }
        return false;
    }
}
