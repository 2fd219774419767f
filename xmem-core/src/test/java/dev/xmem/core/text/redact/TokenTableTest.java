package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every line of the table of tokens finds random samples of its shapes, as tools print them, and nothing else. */
class TokenTableTest {
    private static final List<String> PRINTED = List.of(
            "%s",
            "error: authentication failed for %s (401)",
            "Using token %s to connect.",
            "{\"value\": \"%s\"}",
            "value: '%s'",
            "export THING=%s && ./run",
            "curl -H \"X-Thing: %s\" https://h.example",
            "tool --with %s --verbose",
            "https://h.example/x?v=%s&y=1");
    private static final List<String> NAMED = List.of(
            "%s_ID=%s",
            "export %s_API_KEY='%s'",
            "{\"%s_token\": \"%s\"}",
            "%s.secret = \"%s\"",
            "X-%s-Key: %s",
            "String %sToken = \"%s\";",
            "%s_TOKEN ?= %s",
            "System.setProperty(\"%s_ID\", \"%s\")",
            "the %s key is %s here",
            "tool --%s-token %s --verbose");

    private final Redaction redaction = new Redaction(null);
    private final Random random = new Random(20);

    @ParameterizedTest
    @MethodSource("dev.xmem.core.text.redact.TokenTable#lines")
    void clean_sample_isRedacted(TokenTable line) {
        for (String shape : line.shapes()) {
            for (String literal : TokenTable.literals(shape)) {
                String token = TokenTable.sample(shape, literal, random);
                if (line.near().isEmpty()) {
                    PRINTED.forEach(text -> assertRedacted(String.format(Locale.ROOT, text, token), literal, token));
                }
                for (String name : line.near()) {
                    NAMED.forEach(text -> assertRedacted(String.format(Locale.ROOT, text, name, token), "", token));
                }
            }
        }
    }

    private void assertRedacted(String text, String literal, String token) {
        String secret = token.substring(literal.length());
        assertThat(redaction.clean(text)).as(text).contains("[redacted:").doesNotContain(secret);
    }

    @ParameterizedTest
    @MethodSource("dev.xmem.core.text.redact.TokenTable#lines")
    void clean_nameAlone_isTheSameString(TokenTable line) {
        for (String shape : line.shapes()) {
            for (String literal : TokenTable.literals(shape)) {
                assertSame("a word that begins with " + literal + "example stays");
            }
        }
        for (String name : line.near()) {
            assertSame(name + "_VERSION=1.12.3 " + name + "_HOME=/opt/" + name);
            assertSame(name + " sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
            assertSame(name + " commit 356a192b7913b04c54574d18c28d46e6395428ab");
        }
    }

    private void assertSame(String text) {
        assertThat(redaction.clean(text)).isSameAs(text);
    }
}
