package dev.xmem.core.base.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts lines to fields and fields to lines: lines in the form in which a store writes them by {@link LineFields},
 * any other by {@link JsonText}. Thread-safe.
 */
public final class LineCodec {
    /** Receives the texts of a line as character ranges, without a string for each. */
    @FunctionalInterface
    public interface CharsConsumer {
        /**
         * Receives one text.
         *
         * @param field the name of the top-level field that contains it
         * @param in the parser's buffer, valid during the call only; must not be changed
         * @return whether to continue
         */
        boolean text(String field, char[] in, int from, int length);
    }

    /** The deepest nesting that is read, as in {@code jq} 1.6. What is written has the limit of the store. */
    public static final int READ_NESTING = 256;

    private static final int MARKER_CHARS = 7;
    private static final Pattern CONFLICT_MARKER = Pattern.compile("(?s)(?:<{7}|={7}|>{7}|\\|{7})(?: .*)?\r?");
    private static final String CONFLICT = "is a conflict marker of git. The entries of both sides are read;"
            + " delete the lines of the markers, or let xmem compact move them to the quarantine";

    private static final LineFields NO_FIELDS = LineFields.of(Map.of());

    private LineCodec() {}

    /**
     * The fields of a line that the index needs.
     *
     * @param log the kind of the log that contains the line
     * @throws MalformedLineException if it is not one JSON object
     */
    public static IndexedFields indexedFields(Entry.Kind log, byte[] bytes, int offset, int length)
            throws MalformedLineException {
        LineFields found = LineFields.of(bytes, offset, length);
        if (found != null) {
            return IndexedFields.of(log, found);
        }
        try {
            return IndexedFields.of(log, bytes, offset, length);
        } catch (MalformedLineException e) {
            throw isConflictMarker(bytes, offset, length) ? new MalformedLineException(CONFLICT) : e;
        }
    }

    /** Whether a line marks a conflict of a merge in git: seven equal characters, alone or before a space. */
    public static boolean isConflictMarker(byte[] bytes, int offset, int length) {
        return length >= MARKER_CHARS
                && CONFLICT_MARKER
                        .matcher(new String(bytes, offset, length, StandardCharsets.ISO_8859_1))
                        .matches();
    }

    /**
     * All fields of a line in order: strings, lists of strings, and {@link RawJson} for the rest; nulls are left out.
     */
    public static Map<String, Object> fields(byte[] bytes) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        return found == null ? parsed(bytes) : found.map();
    }

    /** The same fields, each of which is decoded when it is first read. */
    public static LineFields lineFields(byte[] bytes) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        return found == null ? LineFields.of(parsed(bytes)) : found;
    }

    /** The same, of a line in any form. */
    static Map<String, Object> parsed(byte[] bytes) throws MalformedLineException {
        return JsonText.fields(bytes, (field, text) -> text, false);
    }

    /** Passes the members of a JSON object to a visitor: the decoded name, and the value as it is in the text. */
    public static void members(String json, BiConsumer<String, String> visitor) throws MalformedLineException {
        JsonText.members(json, visitor);
    }

    /**
     * The fields of a line of which one surely has a text; null if that takes a look at the decoded values.
     *
     * @param narrow the UTF-8 bytes of the text, one character each: at least three, none a control character, a
     *     quotation mark or a backslash
     */
    public static @Nullable LineFields surelyHaving(byte[] line, String narrow) {
        LineFields found = LineFields.of(line);
        return found != null && found.surelyHas(narrow) ? found : null;
    }

    /** Visits the strings and numbers at any depth and the nested keys, until the visitor returns false. */
    public static void texts(byte[] bytes, CharsConsumer visitor) throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        if (found != null) {
            found.texts(visitor);
        } else {
            texts(bytes, false, visitor);
        }
    }

    /** Like the other method, with a string for each text; optionally only the values that are strings. */
    public static void texts(byte[] bytes, boolean stringsOnly, BiPredicate<String, String> visitor)
            throws MalformedLineException {
        LineFields found = LineFields.of(bytes);
        if (found != null && found.texts(stringsOnly, visitor)) {
            return;
        }
        CharsConsumer chars = (field, in, from, length) -> visitor.test(field, new String(in, from, length));
        texts(bytes, stringsOnly, chars);
    }

    /** The same, of a line in any form. */
    static void texts(byte[] bytes, boolean stringsOnly, CharsConsumer visitor) throws MalformedLineException {
        JsonText.texts(bytes, stringsOnly, visitor);
    }

    /**
     * The fields of a JSON object that a caller gave, cleaned.
     *
     * @param text cleans a text (second argument) of a field (first argument): every string, and every key that no
     *     schema names, for which the field name is empty
     * @throws MalformedLineException if it is not one JSON object, or nested deeper than allowed
     */
    public static Map<String, Object> parse(String object, int nesting, BinaryOperator<String> text)
            throws MalformedLineException {
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        JsonText.checkNesting(bytes, nesting);
        return JsonText.fields(bytes, text, true);
    }

    /** A JSON object that a caller gave, on one line, with every string and key cleaned as in {@link #parse}. */
    public static RawJson object(String object, int nesting, BinaryOperator<String> text)
            throws MalformedLineException {
        return JsonText.object(object, nesting, text);
    }

    /** Writes a line and its newline: the fields in the order of the schema, with defaults for missing ones. */
    public static void write(Schema schema, Map<String, @Nullable Object> fields, LineBuffer out) {
        new LineWriter(NO_FIELDS, fields, out).write(schema);
        out.write('\n');
    }

    /**
     * Writes a line without a newline: the fields of another line in the order of the schema, with defaults for missing
     * ones. The bytes are those of {@link #write(Schema, Map, LineBuffer)}.
     *
     * @param changed the values that differ from those of the line, and those of further fields
     */
    public static void write(Schema schema, LineFields line, Map<String, @Nullable Object> changed, LineBuffer out) {
        new LineWriter(line, changed, out).write(schema);
    }

    /** Creates a generator for another file of the store. */
    public static JsonGenerator generator(OutputStream out) throws IOException {
        return JsonText.generator(out);
    }

    /** Parses a time to milliseconds since 1970; -1 if it is not a time. */
    public static long millis(@Nullable String ts) {
        return ts == null ? -1 : Timestamps.millis(ts);
    }

    /** Formats a time as in a line. */
    public static String ts(long millis) {
        return Timestamps.text(millis);
    }
}
