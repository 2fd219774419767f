package dev.xmem.core.base.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.xmem.Entry;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The fields found in one pass, compared with those of the parser. */
class LineFieldsTest {
    private static final String FAILURE =
            "{\"id\":\"2026-01-02-001\",\"ts\":\"2026-01-02T03:04:05Z\",\"type\":\"tool_failure\","
                    + "\"error\":\"a \\\"quoted\\\" error\\n\\u00e9 é 😀 \\ud83d\\ude00 \\ud83d\","
                    + "\"pattern_avoid\":null,\"tried_also\":[\"a, b\",\"\\\\\"],\"tags\":[],"
                    + "\"critical_params\":{\"a\":[1,{\"b\":\"c\"}],\"d\":{}},"
                    + "\"confidence\":0.50,\"usage_count\":-1,\"exact\":1E+30,\"shown\":true,\"mixed\":[\"a\",1,null]}";

    /** What a mutation inserts, besides bytes of the line itself. */
    private static final String[] PIECES = {
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\t",
        "0",
        "01",
        "-",
        "1.5e-3",
        "null",
        "true",
        "nul",
        "é",
        "😀",
        "\uFFFD",
        "\\u12",
        "\\u0041",
        "\\x",
        "\"id\":1,",
        "\"id\":null,",
        "\u0000",
        "\u001f",
        "\u007f",
        "{}",
        "[]",
        "[[\"a\"]]",
        "{\"a\":\"\\n\"}",
        "\"\":\"\",",
        ".",
        "e",
        "\r",
        "\"type\":[\"x\"],",
        "\\/",
        "\\u+041",
        "\\ude00",
        "\"\\u0069d\":3,",
        "\"Aa\":1,",
        "\"BB\":2,", // has the hash code of "Aa"
        "{\"a\":1,\"a\":2}",
        "NaN",
        "+1",
        "1E400",
        "-0",
        "/**/",
        "\u2028",
        "\uFEFF",
        "9".repeat(41),
        "[".repeat(18) + "]".repeat(18)
    };

    /** Fields of the index with values of every form, of which a mutation inserts some. */
    private static final String[] NAMES = {
        "type",
        "ts",
        "tool",
        "ctx_hash",
        "session_id",
        "dedupe_key",
        "triple",
        "content",
        "tags",
        "answers",
        "target",
        "covers",
        "sessions",
        "occurrences"
    };

    private static final String[] VALUES = {
        "\"tool_success\"",
        "\"outcome\"",
        "\"2026-01-02T03:04:05Z\"",
        "\"\"",
        "null",
        "true",
        "5",
        "1e2",
        "[]",
        "[\"a\",\"\\u0041\"]",
        "[\"a\",1,null,{\"b\":2}]",
        "{}",
        "{\"a\":[\"b\",-1.5,false]}"
    };

    /** What is not UTF-8: bytes of surrogates, too long forms, beginnings, and an end without a beginning. */
    private static final int[][] NOT_UTF_8 = {
        {0xC0, 0x80},
        {0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80},
        {0xF4, 0x90, 0x80, 0x80},
        {0xE2, 0x82},
        {0xC2},
        {0x80}
    };

    @Test
    void get_lineOfAStore_isDecodedOnceForEachField() {
        LineFields fields = LineFields.of(FAILURE.getBytes(StandardCharsets.UTF_8));
        assertThat(fields).isNotNull();
        assertThat(fields.get("error"))
                .isEqualTo("a \"quoted\" error\né é 😀 😀 \ud83d")
                .isSameAs(fields.get("error"));
        assertThat(fields.get("pattern_avoid")).isNull();
        assertThat(fields.get("missing")).isNull();
        assertThat(fields.get("tried_also")).isEqualTo(List.of("a, b", "\\"));
        assertThat(fields.get("critical_params")).isEqualTo(new RawJson("{\"a\":[1,{\"b\":\"c\"}],\"d\":{}}"));
        assertThat(fields.get("confidence")).isEqualTo(new RawJson("0.50"));
    }

    /** To compare each of very many names with all before it would take minutes for one line of a peer. */
    @Test
    void of_moreNamesThanAStoreWrites_isLeftToTheParser() {
        String fields =
                IntStream.range(0, 1000).mapToObj(i -> "\"k" + i + "\":1").collect(Collectors.joining(","));
        assertThat(LineFields.of(('{' + fields + '}').getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    @Test
    void get_list_refusesNullAndIsSerializableLikeThatOfTheParser() throws MalformedLineException {
        byte[] line = "{\"tags\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}".getBytes(StandardCharsets.UTF_8);
        LineFields fields = LineFields.of(line);
        assertThat(fields).isNotNull();
        Object tags = fields.get("tags");
        assertThat(tags).hasSameClassAs(LineCodec.parsed(line).get("tags")).isInstanceOf(Serializable.class);
    }

    /** A line that is written again with other values, and one with all fields, have the bytes of a JSON generator. */
    @Test
    void write_mutatedLinesWithOtherValues_isThatOfAGenerator() throws IOException {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        String[] names = {"notes", "covers", "error", "tags", "usage_count", "exact", "further", "\u017c", "Aa"};
        Schema[] schemas = {Schema.FAILURE, Schema.SUCCESS, Schema.UNKNOWN};
        int written = 0;
        int lines = Integer.getInteger("xmem.lines", 20_000);
        for (int i = 0; i < lines; i++) {
            byte[] line = mutated(random);
            Map<String, Object> changed = new LinkedHashMap<>();
            for (int n = random.nextInt(4); n > 0; n--) {
                changed.put(names[random.nextInt(names.length)], otherValue(random));
            }
            Schema schema = schemas[random.nextInt(schemas.length)];
            LineBuffer spliced = new LineBuffer();
            LineBuffer whole = new LineBuffer();
            Map<String, @Nullable Object> all;
            try {
                LineCodec.write(schema, LineCodec.lineFields(line), changed, spliced);
                all = new LinkedHashMap<>(LineCodec.fields(line));
                all.putAll(changed);
                LineCodec.write(schema, all, whole);
            } catch (MalformedLineException e) {
                continue;
            }
            written++;
            String generated = generated(schema, all);
            String as = seed + ": " + new String(line, StandardCharsets.UTF_8);
            assertThat(text(spliced)).as(as).isEqualTo(generated);
            assertThat(text(whole)).as(as).isEqualTo(generated + '\n');
        }
        assertThat(written).isGreaterThan(lines / 20);
    }

    /** The fields as a JSON generator writes them: those of the schema, then the others. */
    private static String generated(Schema schema, Map<String, @Nullable Object> fields) throws IOException {
        LineBuffer out = new LineBuffer();
        try (JsonGenerator generator = JsonText.generator(out)) {
            generator.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
            generator.writeStartObject();
            for (Schema.Field field : schema.fields()) {
                Object value = fields.get(field.name());
                if (value != null || field.always()) {
                    generate(field.name(), value == null ? field.otherwise() : value, generator);
                }
            }
            for (Map.Entry<String, @Nullable Object> other : fields.entrySet()) {
                if (!schema.hasField(other.getKey())) {
                    generate(other.getKey(), other.getValue(), generator);
                }
            }
            generator.writeEndObject();
        }
        return text(out);
    }

    private static void generate(String name, @Nullable Object value, JsonGenerator out) throws IOException {
        out.writeFieldName(name);
        if (value instanceof List<?> items) {
            out.writeStartArray();
            for (Object item : items) {
                out.writeString((String) item);
            }
            out.writeEndArray();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Double number) {
            out.writeNumber(number);
        } else {
            out.writeRawValue(String.valueOf(value)); // null, a whole number, or raw JSON
        }
    }

    private static String text(LineBuffer line) {
        return new String(line.array(), 0, line.length(), StandardCharsets.UTF_8);
    }

    private static Object otherValue(Random random) {
        List<String> texts = List.of(
                "", "plain", "a \"b\" \\ \n\r\t\b\f", "\u0001", "\u007f\u2028 \u00e9\u017c", "\ud83d\ude00", "\ud83d");
        return switch (random.nextInt(6)) {
            case 0 -> texts.subList(0, random.nextInt(texts.size()));
            case 1 -> random.nextLong();
            case 2 -> new RawJson("{\"a\":\"\u00e9\ud83d\ude00\"}");
            case 3 -> random.nextInt();
            case 4 -> random.nextBoolean() ? random.nextDouble() : Double.NaN;
            default -> texts.get(random.nextInt(texts.size()));
        };
    }

    @Test
    void map_mutatedLines_isThatOfTheParserOrLeftToIt() {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        int found = 0;
        int lines = Integer.getInteger("xmem.lines", 20_000);
        for (int i = 0; i < lines; i++) {
            byte[] line = mutated(random);
            LineFields fields = LineFields.of(line);
            if (fields != null) {
                found++;
                String text = "seed " + seed + ": " + new String(line, StandardCharsets.ISO_8859_1);
                assertThat(entries(fields.map())).as(text).isEqualTo(entries(parsed(line, text)));
                assertSameTexts(line, fields, text);
                assertSameIndexedFields(line, fields, random, text);
                assertHasWhatItSays(line, fields, random, text);
            }
        }
        assertThat(found).isBetween(lines / 20, lines - lines / 20);
    }

    private Map<String, Object> parsed(byte[] line, String text) {
        try {
            return LineCodec.parsed(line);
        } catch (MalformedLineException e) {
            throw new AssertionError("the parser refuses " + text, e);
        }
    }

    private static List<Map.Entry<String, Object>> entries(Map<String, Object> fields) {
        return new ArrayList<>(fields.entrySet());
    }

    private void assertSameTexts(byte[] line, LineFields fields, String text) {
        List<String> parsed = new ArrayList<>();
        try {
            LineCodec.texts(
                    line, false, (name, in, from, length) -> parsed.add(name + '=' + new String(in, from, length)));
        } catch (MalformedLineException e) {
            throw new AssertionError("the parser refuses " + text, e);
        }
        List<String> ranges = new ArrayList<>();
        fields.texts((name, in, from, length) -> ranges.add(name + '=' + new String(in, from, length)));
        assertThat(ranges).as(text).isEqualTo(parsed);
        List<String> first = new ArrayList<>();
        fields.texts((name, in, from, length) -> {
            first.add(name + '=' + new String(in, from, length));
            return false;
        });
        assertThat(first).as(text).isEqualTo(parsed.subList(0, Math.min(1, parsed.size())));
        for (boolean stringsOnly : new boolean[] {false, true}) {
            List<String> one = new ArrayList<>();
            if (fields.texts(stringsOnly, (name, value) -> one.add(name + '=' + value))) {
                assertThat(parsed).as(text).containsAll(one);
                if (!stringsOnly) {
                    assertThat(one).as(text).isEqualTo(parsed);
                }
            }
        }
    }

    /** In the middle of an array, as a log is read. */
    private void assertSameIndexedFields(byte[] line, LineFields fields, Random random, String text) {
        Entry.Kind log = Entry.Kind.values()[random.nextInt(Entry.Kind.values().length)];
        byte[] around = ("}]\"" + new String(line, StandardCharsets.ISO_8859_1) + "\",1}")
                .getBytes(StandardCharsets.ISO_8859_1);
        try {
            IndexedFields parsed = IndexedFields.of(log, line, 0, line.length);
            assertThat(LineCodec.indexedFields(log, around, 3, line.length))
                    .as(text)
                    .isEqualTo(parsed);
            assertThat(IndexedFields.of(log, fields)).as(text).isEqualTo(parsed);
        } catch (MalformedLineException e) {
            throw new AssertionError("the parser refuses " + text, e);
        }
    }

    /** The bytes only tell of a text that a decoded value has. */
    private static void assertHasWhatItSays(byte[] line, LineFields fields, Random random, String text) {
        int from = random.nextInt(line.length);
        String narrow = new String(
                line, from, Math.min(line.length - from, 3 + random.nextInt(3)), StandardCharsets.ISO_8859_1);
        boolean plain = narrow.length() > 2 && narrow.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
        String wanted = new String(narrow.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        if (plain && wanted.indexOf('\uFFFD') < 0 && fields.surelyHas(narrow)) {
            List<Object> values = new ArrayList<>(fields.map().values());
            assertThat(values.stream()
                            .flatMap(value -> value instanceof List<?> list ? list.stream() : Stream.of(value))
                            .anyMatch(value -> value instanceof String decoded && decoded.contains(wanted)))
                    .as(wanted + " in " + text)
                    .isTrue();
        }
    }

    @Test
    void surelyHas_besideAnEscapeOrOutsideOfATextValue_isNotSaid() {
        LineFields fields =
                LineFields.of("{\"needle\":\"a\",\"b\":{\"needle\":\"needle\"},\"c\":[1,\"needle\"],\"d\":\"\\needle\"}"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(fields).isNotNull();
        assertThat(fields.surelyHas("needle")).isFalse();
        for (String found : List.of("{\"d\":\"\\nneedle and needle\"}", "{\"d\":[\"a\",\"needle\"]}")) {
            LineFields has = LineFields.of(found.getBytes(StandardCharsets.UTF_8));
            assertThat(has).isNotNull();
            assertThat(has.surelyHas("needle")).isTrue();
        }
    }

    /** "Aa" and "BB" have one hash code; "!", "a" and "\u00e1" share the bits that are looked at. */
    @Test
    void get_namesWithOneHash_isTheFieldOfThatName() {
        String text = "{\"Aa\":\"1\",\"a\":\"2\",\"BB\":\"3\",\"c\":null,\"!\":\"4\"}";
        LineFields fields = LineFields.of(text.getBytes(StandardCharsets.UTF_8));
        assertThat(fields).isNotNull();
        for (String name : List.of("Aa", "a", "BB", "!")) {
            assertThat(fields.get(name))
                    .as(name)
                    .isEqualTo(String.valueOf(1 + List.of("Aa", "a", "BB", "!").indexOf(name)));
            assertThat(fields.has(name)).as(name).isTrue();
        }
        assertThat(fields.has("c")).isTrue();
        for (String name : List.of("\u00e1", "#", "C", "C#", "AaAa", "")) {
            assertThat(fields.get(name)).as(name).isNull();
            assertThat(fields.has(name)).as(name).isFalse();
        }
        for (String twice : List.of("{\"Aa\":1,\"BB\":2,\"Aa\":3}", "{\"Aa\":1,\"Aa\":3}")) {
            assertThat(LineFields.of(twice.getBytes(StandardCharsets.UTF_8)))
                    .as(twice)
                    .isNull();
        }
    }

    private static byte[] mutated(Random random) {
        StringBuilder line = new StringBuilder(FAILURE);
        if (random.nextBoolean()) {
            line.setLength(0); // a short line, so that most mutations are in the form of a store
            line.append("{\"a\":\"")
                    .append(PIECES[random.nextInt(PIECES.length)])
                    .append("\",\"b\":[\"x\",\"y\"],\"c\":1}");
            for (int n = random.nextInt(4); n > 0; n--) {
                String name = NAMES[random.nextInt(NAMES.length)];
                line.insert(1, '"' + name + "\":" + VALUES[random.nextInt(VALUES.length)] + ',');
            }
        }
        for (int n = random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(line.length() + 1);
            switch (random.nextInt(3)) {
                case 0 -> line.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 1 -> line.delete(at, Math.min(line.length(), at + 1 + random.nextInt(3)));
                default ->
                    line.insert(
                            at,
                            line.substring(random.nextInt(line.length() - 4)).substring(0, 4));
            }
        }
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(20) == 0) {
            int[] bad = NOT_UTF_8[random.nextInt(NOT_UTF_8.length)];
            int at = Math.max(0, random.nextInt(bytes.length) - bad.length);
            for (int i = 0; i < bad.length && at + i < bytes.length; i++) {
                bytes[at + i] = (byte) bad[i];
            }
        }
        return bytes;
    }
}
