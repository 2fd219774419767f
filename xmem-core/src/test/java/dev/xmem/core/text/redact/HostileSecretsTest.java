package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Redaction is linear: a quadratic algorithm would need hours for a hostile megabyte. */
@Timeout(60)
class HostileSecretsTest {
    private static final int LENGTH = 1 << 20;

    private final Redaction redaction = new Redaction(text -> text);

    static Stream<String> units() {
        List<String> units = new ArrayList<>(List.of(
                "password=",
                "password: ",
                "password=${",
                "password='",
                "password=\\\"",
                "token: \"a ",
                "\"token\": \"a b",
                "sk-",
                "xoxb-",
                "-----BEGIN",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----A: ",
                "-----END PRIVATE KEY-----",
                "PuTTY-User-Key-File",
                "=",
                "\"",
                "\\\"",
                "://",
                "://a:b",
                "cookie: path=a;",
                "authorization: ",
                "Bearer ",
                "eyJ",
                "eyJ-",
                "eyJ.",
                "mysql -p",
                "curl -u a",
                "[redacted:",
                "api key ",
                "passPass",
                "<password>",
                "password\">",
                "name=\"password\" value=",
                "login password ",
                "\u001B[",
                "\u001B]",
                "\u200D",
                "\uD800",
                "&password",
                "%3a%2f%2f%3a",
                "?sig=",
                ":@tcp(",
                "oracle:thin:/",
                "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
                "password=[\"",
                "password=a,b;c&",
                "t1.a",
                "ABSKa",
                "pat.a.",
                "1|",
                "Q~",
                "a_b_mmk",
                "kraken=",
                "kraken ",
                "ZXlK.",
                "sk-a",
                "token, \"",
                "1:AA"));
        return units.stream();
    }

    @ParameterizedTest
    @MethodSource("units")
    void clean_megabyteOfOneUnit_terminates(String unit) {
        String once = redaction.clean(unit.repeat(LENGTH / unit.length()));

        assertThat(redaction.clean(once)).isEqualTo(once);
    }

    @Test
    void clean_megabyteOfNestedQuotes_terminates() {
        StringBuilder text = new StringBuilder();
        for (int depth = 0; text.length() < LENGTH; depth++) {
            text.append("token: ").append("\\".repeat(depth % 40)).append("\"a ");
        }
        assertThat(redaction.clean(text.toString())).isNotEmpty();
    }

    @Test
    void clean_megabyteOfAllUnits_terminates() {
        List<String> units = units().toList();
        Random random = new Random(7);
        StringBuilder text = new StringBuilder();
        while (text.length() < LENGTH) {
            text.append(units.get(random.nextInt(units.size())));
        }
        assertThat(redaction.clean(text.toString())).isNotEmpty();
    }
}
