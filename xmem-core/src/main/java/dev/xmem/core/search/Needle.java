package dev.xmem.core.search;

import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.words.BoundedRegex;
import dev.xmem.core.words.StepBudget;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A text or a regular expression to be found inside one decoded field of a line. The line's bytes are looked at first:
 * where a part that must be there is not, and nothing in the line is escaped, the line need not be parsed.
 */
public final class Needle {
    private final LineCodec codec;
    private final Predicate<String> test;
    private final byte[] required;

    private Needle(LineCodec codec, @Nullable String required, Predicate<String> test) {
        this.codec = codec;
        this.test = test;
        this.required = required == null ? new byte[0] : required.getBytes(StandardCharsets.UTF_8);
    }

    /** A text as it stands. */
    public static Needle literal(LineCodec codec, String text) {
        return new Needle(codec, text, field -> field.contains(text));
    }

    /** A regular expression, with so many steps for all lines together. */
    public static Needle regex(LineCodec codec, String pattern, long steps) {
        BoundedRegex regex = BoundedRegex.compile(pattern, false);
        StepBudget budget = new StepBudget(steps);
        return new Needle(codec, regex.requiredLiteral(), field -> regex.find(field, budget));
    }

    /** Whether one of the line's texts has it. */
    public boolean in(byte[] line) {
        if (required.length > 0 && !mayHave(line)) {
            return false;
        }
        boolean[] found = {false};
        try {
            codec.texts(line, (field, text) -> {
                found[0] = test.test(text);
                return !found[0];
            });
        } catch (MalformedLineException e) {
            return false;
        }
        return found[0];
    }

    private boolean mayHave(byte[] line) {
        int last = line.length - required.length;
        boolean escaped = false;
        for (int i = 0; i < line.length; i++) {
            escaped |= line[i] == '\\';
            if (i <= last && line[i] == required[0] && matchesAt(line, i)) {
                return true;
            }
        }
        return escaped;
    }

    private boolean matchesAt(byte[] line, int at) {
        for (int i = 1; i < required.length; i++) {
            if (line[at + i] != required[i]) {
                return false;
            }
        }
        return true;
    }
}
