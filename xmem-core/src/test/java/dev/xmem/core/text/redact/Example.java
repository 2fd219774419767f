package dev.xmem.core.text.redact;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * An example of a rule: a text and its redacted form.
 *
 * @param rule the rule's name
 * @param text the text with the secret
 * @param cleaned the text as it must be stored
 */
record Example(String rule, String text, String cleaned) {
    private static final String OPEN = "<<";
    private static final String CLOSE = ">>";

    /** The examples of all rules, or their counter-examples. */
    static Stream<Example> ofRules(boolean secret) {
        String mark = secret ? "  example " : "  benign ";
        List<Example> examples = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(Example.class.getResourceAsStream("rule-examples.txt"))) {
            String rule = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.matches("[a-z-]+")) {
                    rule = line;
                } else if (line.startsWith(mark) && !rule.isEmpty()) {
                    String text = line.substring(mark.length()).strip();
                    examples.add(secret ? of(rule, text) : new Example(rule, lines(text), lines(text)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return examples.stream();
    }

    private static Example of(String rule, String line) {
        StringBuilder text = new StringBuilder();
        StringBuilder cleaned = new StringBuilder();
        int at = 0;
        for (int open = line.indexOf(OPEN); open >= 0; open = line.indexOf(OPEN, at)) {
            int close = line.indexOf(CLOSE, open);
            while (line.startsWith(CLOSE, close + 1)) {
                close++;
            }
            text.append(line, at, open).append(filled(line.substring(open + 2, close)));
            cleaned.append(line, at, open).append("[redacted:").append(rule).append(']');
            at = close + 2;
        }
        String rest = line.substring(at);
        return new Example(rule, lines(text + rest), lines(cleaned + rest));
    }

    /** The secret with {@code N} characters of the rule in place of {@code <N>}. */
    private static String filled(String secret) {
        int open = secret.indexOf('<');
        int close = secret.indexOf('>');
        if (open < 0 || close < open) {
            return secret;
        }
        int length = Integer.parseInt(secret.substring(open + 1, close));
        return secret.substring(0, open) + characters(length) + secret.substring(close + 1);
    }

    /** Letters and digits of the rule in a fixed, irregular order. */
    private static String characters(int length) {
        String all = all(CharSet.of("A-Za-z0-9"));
        String letters = all.codePoints()
                .filter(Character::isLetterOrDigit)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        StringBuilder characters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            characters.append(letters.charAt((7 * i + i * i / 3 + 3) % letters.length()));
        }
        return characters.toString();
    }

    private static String all(CharSet set) {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 128; c++) {
            all.append(set.has(c) ? String.valueOf(c) : "");
        }
        return all.toString();
    }

    private static String lines(String text) {
        return text.replace("\\n", "\n");
    }

    @Override
    public String toString() {
        return rule + ": " + text;
    }
}
