package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule redacts its examples under its own name and leaves its counter-examples unchanged. */
class RedactionRulesTest {
    private final Redaction redaction = new Redaction(text -> text);

    static Stream<Example> examples() {
        return Example.ofRules(true);
    }

    static Stream<Example> counterExamples() {
        return Example.ofRules(false);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void clean_example_isReplacedByTheRule(Example example) {
        assertThat(redaction.clean(example.text())).isEqualTo(example.cleaned());
        assertThat(redaction.clean(example.cleaned())).isSameAs(example.cleaned());
        assertThat(redaction.firstSecret(example.text())).isEqualTo(example.rule());
        assertThat(redaction.firstSecret(example.cleaned())).isNull();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void clean_quotedExample_isRedactedCompletely(Example example) {
        String cleaned = redaction.clean("said \"" + example.text() + "\" twice");

        assertThat(cleaned)
                .contains("[redacted:")
                .doesNotContain(example.text())
                .startsWith("said \"")
                .endsWith("twice");
    }

    @ParameterizedTest
    @MethodSource("counterExamples")
    void clean_counterExample_isTheSameString(Example example) {
        assertThat(redaction.clean(example.text())).isSameAs(example.text());
        assertThat(redaction.firstSecret(example.text())).isNull();
    }

    @Test
    void rules_all_haveExampleAndCounterExample() {
        assertThat(RedactionRules.builtIn().placeholders)
                .hasSizeGreaterThan(100)
                .allMatch(name -> name.matches("[a-z-]{1," + RedactionRules.LONGEST_NAME + "}"));
        List<String> rules =
                RedactionRules.builtIn().rules.stream().map(RedactionRule::name).toList();
        assertThat(rules).isNotEmpty();
        assertThat(examples().map(Example::rule)).containsAll(rules);
        assertThat(counterExamples().map(Example::rule)).containsAll(rules);
    }

    @Test
    void triggers_list_hasTheNamesThatContainNoOtherOne() {
        Set<String> names = new TreeSet<>();
        for (SensitiveNames.Key key : RedactionRules.builtIn().names.keys()) {
            names.add(String.join("_", key.words()));
            names.add(key.joined());
        }
        Set<String> shortest = new TreeSet<>(names);
        shortest.removeIf(name -> names.stream().anyMatch(other -> !other.equals(name) && name.contains(other)));
        Set<String> triggers = SensitiveNames.triggers(RedactionRules.builtIn().list("triggers"));

        assertThat(triggers).containsAll(shortest);
        shortest.removeIf(name -> !name.contains("_")
                && names.stream()
                        .anyMatch(other ->
                                other.contains("_") && other.replace("_", "").equals(name)));
        assertThat(RedactionRules.builtIn().list("triggers")).containsExactlyInAnyOrderElementsOf(shortest);
    }
}
