package dev.xmem.core.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bytes of lines, and what is read from them. */
class LineCodecTest {
    private String written(Map<String, @Nullable Object> fields) {
        LineBuffer buffer = new LineBuffer();
        LineCodec.write(Schema.NOTE, fields, buffer);
        return new String(buffer.array(), 0, buffer.length(), StandardCharsets.UTF_8);
    }

    @Test
    void write_anyCharacter_isUtf8LikeThatOfJq() {
        assertThat(written(Map.of("a", "é 😀 \u2028 \t \u0001 \" \\ /")))
                .isEqualTo("{\"tags\":null,\"meta\":null,\"a\":\"é 😀 \u2028 \\t \\u0001 \\\" \\\\ /\"}\n");
    }

    @Test
    void write_everyKindOfValue_keepsOrderAndText() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("text", "x");
        fields.put("nothing", null);
        fields.put("list", List.of("a", "b"));
        fields.put("number", 7);
        fields.put("share", 0.5);
        fields.put("raw", new RawJson("{\"n\":1.50}"));
        assertThat(written(fields))
                .isEqualTo(
                        "{\"tags\":null,\"meta\":null,\"text\":\"x\",\"nothing\":null,\"list\":[\"a\",\"b\"],\"number\":7,\"share\":0.5,"
                                + "\"raw\":{\"n\":1.50}}\n");
    }

    @Test
    void parse_numbersAndNesting_keepTheirText() throws MalformedLineException {
        Map<String, Object> fields = LineCodec.parse(
                "{ \"n\" : 1.50 , \"o\" : { \"e\" : 1E400, \"s\" : \"\\u00e9\" } }", 32, (field, text) -> text);
        assertThat(fields)
                .containsEntry("n", new RawJson("1.50"))
                .containsEntry("o", new RawJson("{\"e\":1E400,\"s\":\"é\"}"));
    }

    @Test
    void parse_tooDeep_reportsTheDepth() {
        String deep = "{\"a\":".repeat(40) + "1" + "}".repeat(40);
        assertThatThrownBy(() -> LineCodec.parse(deep, 32, (field, text) -> text))
                .isInstanceOfSatisfying(
                        MalformedLineException.class, e -> assertThat(e.depth()).isEqualTo(40));
    }

    @Test
    void parse_endMissing_isReportedWithoutTheParsersLocation() {
        assertThatThrownBy(() -> LineCodec.parse("{\"a\":[1", 32, (field, text) -> text))
                .hasMessage("is not valid JSON: Unexpected end-of-input: expected close marker for Array");
    }

    @Test
    void facts_tooDeep_sayHowDeepAStoreReads() {
        byte[] line = ("{\"meta\":" + "[".repeat(400) + "]".repeat(400) + "}").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> LineCodec.indexedFields(Entry.Kind.NOTE, line, 0, line.length))
                .hasMessage("is nested deeper than 256 levels, the most that a store reads");
    }

    @Test
    void facts_badUtf8_areReadLikeJq() throws MalformedLineException {
        byte[] line = "{\"type\":\"tool_failure\",\"tool\":\"a?b\"}".getBytes(StandardCharsets.UTF_8);
        line[new String(line, StandardCharsets.UTF_8).indexOf('?')] = (byte) 0xFF;
        IndexedFields facts = LineCodec.indexedFields(Entry.Kind.FAILURE, line, 0, line.length);
        assertThat(facts.tool()).isEqualTo("a\uFFFDb");
    }
}
