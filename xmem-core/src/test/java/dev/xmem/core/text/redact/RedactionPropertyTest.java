package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.Redactor;
import dev.xmem.testing.RedactorContract;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of redaction on random sequences of triggers, quotes, escapes and fragments of them. */
class RedactionPropertyTest extends RedactorContract {
    private static final int LONGEST_PLACEHOLDER = 45;
    private static final List<String> PIECES = pieces();

    private final Redaction redaction = new Redaction(text -> text);

    @Override
    protected Redactor redactor() {
        return redaction::clean;
    }

    @Override
    protected List<String> secrets() {
        return RedactionRulesTest.examples()
                .filter(example -> example.cleaned().matches("(?s).*\\[redacted:[a-z-]+\\]"))
                .map(Example::text)
                .toList();
    }

    private static List<String> pieces() {
        List<String> pieces = new ArrayList<>(List.of(
                "=",
                ":",
                " ",
                "\n",
                "\"",
                "'",
                "`",
                "\\",
                "\\\"",
                "\\n",
                "@",
                "/",
                ";",
                ",",
                "&",
                "|",
                "<",
                ">",
                "(",
                ")",
                "[",
                "]",
                "{",
                "}",
                "$",
                "%3D",
                "%22",
                "://",
                "-",
                "--",
                "-p",
                "-u ",
                "hunter2",
                "a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6",
                "none",
                "[redacted:",
                "[redacted:password]",
                "\u001B[",
                "\u200D",
                "\uD83D",
                "\uDE00",
                "is ",
                "value=",
                "login ",
                "\r",
                "eyJ",
                ".",
                "x"));
        for (RedactionRule rule : RedactionRules.builtIn().rules) {
            pieces.addAll(rule.words("scan"));
            pieces.addAll(rule.names());
        }
        for (TokenTable line : TokenTable.lines()) {
            pieces.addAll(line.near());
            line.shapes().forEach(shape -> pieces.addAll(TokenTable.literals(shape)));
        }
        return pieces;
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> examples =
                Arbitraries.of(RedactionRulesTest.examples().map(Example::text).toList());
        Arbitrary<String> pieces = Arbitraries.of(PIECES);
        Arbitrary<String> letters = Arbitraries.strings().ascii().ofMaxLength(5);
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(12, pieces),
                        net.jqwik.api.Tuple.of(1, examples),
                        net.jqwik.api.Tuple.of(1, tokens()),
                        net.jqwik.api.Tuple.of(2, letters))
                .list()
                .ofMaxSize(30)
                .map(list -> String.join("", list));
    }

    private static Arbitrary<String> tokens() {
        List<TokenTable> lines = TokenTable.lines();
        return Arbitraries.randoms().map(random -> {
            List<String> shapes = lines.get(random.nextInt(lines.size())).shapes();
            String shape = shapes.get(random.nextInt(shapes.size()));
            return TokenTable.sample(shape, TokenTable.literals(shape).get(0), random);
        });
    }

    @Property(tries = 3000)
    void clean_twice_isIdempotent(@ForAll("texts") String text) {
        String once = redaction.clean(text);

        assertThat(redaction.clean(once)).isEqualTo(once);
        assertThat(redaction.firstSecret(once)).isNull();
    }

    @Property(tries = 1000)
    void clean_anyText_isWellFormedAndVisible(@ForAll("texts") String text) {
        String cleaned = redaction.clean(text);

        assertThat(new String(cleaned.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(cleaned);
        assertThat(cleaned.chars().filter(c -> c < ' ' && c != '\n' && c != '\t' || c >= 0x7F && c < 0xA0))
                .isEmpty();
    }

    @Property(tries = 1000)
    void clean_anyText_growsOnlyByPlaceholders(@ForAll("texts") String text) {
        String cleaned = redaction.clean(text);
        int placeholders = cleaned.split("\\[redacted:", -1).length - 1;

        assertThat(cleaned.length()).isLessThanOrEqualTo(text.length() + LONGEST_PLACEHOLDER * placeholders);
    }

    @Property(tries = 1000)
    void firstSecret_anyText_agreesWithClean(@ForAll("texts") String text) {
        boolean changed = !redaction.clean(text).equals(ControlCharStripper.removed(text));

        assertThat(redaction.firstSecret(text) != null).isEqualTo(changed);
    }
}
