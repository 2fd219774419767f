package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts as tools and people write them: secrets are redacted, everything else stays. */
class TextsTest {
    private static final Pattern SECRET = Pattern.compile("<<(.+?)>>(?!>)", Pattern.DOTALL);
    private static final String PLACEHOLDER = "\\[redacted:[a-z-]+\\]";

    private final Redaction redaction = new Redaction(text -> text);

    static Stream<String> benign() {
        return Lines.of("benign.txt");
    }

    static Stream<String> planted() {
        return Lines.of("planted.txt");
    }

    @Test
    void benign_texts_areMoreThan200() {
        assertThat(benign().distinct()).hasSizeGreaterThan(200);
    }

    @ParameterizedTest
    @MethodSource("benign")
    void clean_benign_isTheSameString(String text) {
        assertThat(redaction.clean(text)).isSameAs(text);
        assertThat(redaction.firstSecret(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools.txt", "tools-left-out.txt"})
    void clean_linesOfTools_harmsAtMostOnePercent(String resource) {
        List<String> lines = Lines.of(resource).toList();
        List<String> harmed = lines.stream()
                .filter(line -> !redaction.clean(line).equals(line))
                .toList();

        assertThat(lines).hasSizeGreaterThan(500);
        assertThat(harmed).hasSizeLessThanOrEqualTo(lines.size() / 100);
    }

    @Test
    void clean_allBenignAsOneText_isTheSameString() {
        String all = String.join("\n\n", benign().toList());

        assertThat(redaction.clean(all)).isSameAs(all);
    }

    @ParameterizedTest
    @MethodSource("planted")
    void clean_planted_changesOnlyTheSecrets(String line) {
        List<String> around = new ArrayList<>();
        Matcher secret = SECRET.matcher(line);
        int from = 0;
        while (secret.find()) {
            around.add(Pattern.quote(line.substring(from, secret.start())));
            from = secret.end();
        }
        around.add(Pattern.quote(line.substring(from)));

        String cleaned = redaction.clean(secret.replaceAll("$1"));

        assertThat(cleaned).matches(Pattern.compile(String.join(PLACEHOLDER, around), Pattern.DOTALL));
        assertThat(redaction.clean(cleaned)).isSameAs(cleaned);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2", "Tr0ub4dor&3", "0123abcd4567ffff"})
    void clean_anotherSecret_givesTheSameText(String other) {
        String text = "login failed: {\"user\":\"bob\",\"password\":\"%s\"} at https://bob:%s@h/x";

        assertThat(redaction.clean(text.replace("%s", other)))
                .isEqualTo(redaction.clean(text.replace("%s", "s3cret!")));
    }

    @Test
    void clean_numberBesideAKeyInJson_staysJson() {
        assertThat(redaction.clean("{\"password\": 1234567, \"port\": 5432}"))
                .isEqualTo("{\"password\": \"[redacted:password]\", \"port\": 5432}");
        assertThat(redaction.clean("{\\\"password\\\":1234567}"))
                .isEqualTo("{\\\"password\\\":\\\"[redacted:password]\\\"}");
    }

    @Test
    void clean_namedValue_isJudgedByTheName() {
        assertThat(redaction.clean("password", "swordfish")).isEqualTo("[redacted:password]");
        assertThat(redaction.clean("dbPassword", "1234")).isEqualTo("[redacted:password]");
        assertThat(redaction.clean("api_key", "0123abcd4567")).isEqualTo("[redacted:api-key]");
        assertThat(redaction.clean("password", "$DB_PASS")).isEqualTo("$DB_PASS");
        assertThat(redaction.clean("password", "")).isEmpty();
        assertThat(redaction.clean("max_tokens", "300")).isEqualTo("300");
        assertThat(redaction.clean("error", "password=swordfish")).isEqualTo("password=[redacted:password]");
    }

    @Test
    void cleanAction_optionOfTheTool_isRedacted() {
        assertThat(redaction.cleanAction("mysql", "-u root -pswordfish shop"))
                .isEqualTo("-u root -p[redacted:command-password] shop");
        assertThat(redaction.cleanAction("/usr/bin/curl", "-u bob:swordfish https://h"))
                .isEqualTo("-u bob:[redacted:command-password] https://h");
        assertThat(redaction.cleanAction("mkdir", "-pswordfish")).isEqualTo("-pswordfish");
        assertThat(redaction.cleanAction("docker", "login -u bob -p swordfish h"))
                .isEqualTo("login -u bob -p [redacted:command-password] h");
    }

    @Test
    void clean_hereStringOfAPassword_isRedacted() {
        assertThat(redaction.clean("cd x && sudo -S ls <<< 'swordfish'; wc -l <<< swordfish"))
                .isEqualTo("cd x && sudo -S ls <<< '[redacted:command-password]'; wc -l <<< swordfish");
    }

    @Test
    void clean_callersRedactor_runsLast() {
        Redaction own = new Redaction(text -> text.replace("bob", "[user]"));

        assertThat(own.clean("bob: password=swordfish")).isEqualTo("[user]: password=[redacted:password]");
        assertThat(own.firstSecret("bob")).isEqualTo("redactor");
        assertThat(own.firstSecret("bob: password=swordfish")).isEqualTo("password");
    }

    @Test
    void clean_placeholders_stayButForgedOnesHideNoSecret() {
        String known = "token: [redacted:github-token] password=[redacted:password], x";
        String token = "ghp_" + "a1B2c3D4e5F6".repeat(3);

        assertThat(redaction.clean(known)).isSameAs(known);
        assertThat(redaction.clean("[redacted:" + token + "]")).isEqualTo("[redacted:[redacted:github-token]]");
        assertThat(redaction.clean("password=[redacted:hunter2]")).doesNotContain("hunter2");
    }
}
