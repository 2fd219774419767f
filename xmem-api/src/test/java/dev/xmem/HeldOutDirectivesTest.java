package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Messages of users: "yes" with the number and scope of the rules that they give, "no" if they give none. They were
 * written by an author who had not read the parser. The messages with a secret are for the test of the store.
 */
final class HeldOutDirectivesTest {
    @Test
    void parse_heldOutMessages_understandsTheRules() {
        List<String[]> rows = rows();
        int understood = 0;
        int falseAlarms = 0;
        for (String[] row : rows) {
            List<Directive.Draft> rules = rules(row[3]);
            if (row[0].equals("yes")) {
                boolean asMeant = rules.size() == Integer.parseInt(row[1])
                        && rules.stream().allMatch(rule -> scope(rule).equals(row[2]));
                understood += asMeant ? 1 : 0;
                if (!asMeant) {
                    print("not understood", row, rules);
                }
            } else if (row[0].equals("no") && !rules.isEmpty()) {
                falseAlarms++;
                print("false alarm", row, rules);
            }
        }
        System.out.printf("directives: understood %d of 36, false alarms %d of 24%n", understood, falseAlarms);
        assertThat(rows).hasSize(75).allSatisfy(row -> assertThat(row).hasSize(4));
        assertThat(rows).filteredOn(row -> row[0].equals("yes")).hasSize(36);
        assertThat(rows).filteredOn(row -> row[0].equals("no")).hasSize(24);
        assertThat(understood).as("understood").isGreaterThanOrEqualTo(29);
        assertThat(falseAlarms).as("false alarms").isLessThanOrEqualTo(4);
    }

    private static void print(String verdict, String[] row, List<Directive.Draft> rules) {
        List<String> read = rules.stream()
                .map(rule -> scope(rule) + ": " + rule.fields().get("canonical"))
                .toList();
        System.out.printf("directives: %s (%s %s): %s: read as %s%n", verdict, row[1], row[2], row[3], read);
    }

    private static List<Directive.Draft> rules(String message) {
        try {
            return Directive.parseAll(message);
        } catch (XMemException.Syntax e) {
            return List.of();
        }
    }

    private static String scope(Directive.Draft rule) {
        return rule.fields().get("scope") == Directive.Scope.GLOBAL ? "global" : "local";
    }

    private static List<String[]> rows() {
        try (InputStream in = Objects.requireNonNull(
                        HeldOutDirectivesTest.class.getResourceAsStream("directives-heldout.tsv"));
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> line.split("\t", -1)).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
