package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the values of password options: {@code mysql -p…}, {@code curl -u user:…}. The pass remembers the options of
 * the program whose command it is in, so nothing is read backwards. Immutable.
 */
final class CommandDetector {
    private static final String UNKNOWN = "*";
    private static final CharSet END = CharSet.of("\"'`;|&");
    private static final int MAX_GAP = 6;
    private static final int MAX_USER = 128;

    private final RedactionRule rule;
    private final Map<String, List<Option>> programs = new HashMap<>();

    /**
     * An option that takes a secret.
     *
     * @param form how the secret follows, as {@code rules.txt} writes it
     * @param doubtful whether the program is unknown, so that the value must also look like a secret
     */
    record Option(String text, String form, boolean doubtful) {}

    CommandDetector(RedactionRule rule) {
        this.rule = rule;
        for (String line : rule.lines("option")) {
            List<String> words = List.of(line.split(" "));
            for (String program : words.subList(2, words.size())) {
                Option option = new Option(words.get(0), words.get(1), program.equals(UNKNOWN));
                List<Option> known = programs.getOrDefault(program, new ArrayList<>());
                known.add(option);
                programs.put(program, known);
            }
        }
    }

    void addTo(Map<String, List<SecretDetector>> detectors) {
        Set<String> options = new TreeSet<>();
        for (Map.Entry<String, List<Option>> program : programs.entrySet()) {
            if (!program.getKey().equals(UNKNOWN)) {
                RedactionRules.add(detectors, program.getKey(), this::program);
            }
            for (Option option : program.getValue()) {
                options.add(option.text().toLowerCase(Locale.ROOT));
            }
        }
        for (String literal : rule.words("scan")) {
            RedactionRules.add(detectors, literal, this::endOfCommand);
        }
        for (String option : options) {
            RedactionRules.add(detectors, option, this::option);
        }
    }

    /** The options of a program, given by name or path. */
    List<Option> optionsOf(String program) {
        String name = program.substring(program.lastIndexOf('/') + 1);
        return programs.getOrDefault(name, optionsOfUnknown());
    }

    /** The options that are recognized without knowing the program. */
    List<Option> optionsOfUnknown() {
        return programs.getOrDefault(UNKNOWN, List.of());
    }

    private void program(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        boolean begins = text.wordStartsAt(start) && "_-.=".indexOf(text.at(start - 1)) < 0;
        char next = text.at(end);
        if (begins && !PaddedText.isAlphanumeric(next) && next != '-' && next != '_' && next != ':') {
            pass.options = optionsOf(text.from(start, end));
        }
    }

    private void endOfCommand(RedactionPass pass, int start, int end) {
        if (pass.text.at(start - 1) != '\\') {
            pass.options = optionsOfUnknown();
        }
    }

    private void option(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        char before = text.at(start - 1);
        if (start > 0 && !PaddedText.isWhite(before) && !PaddedText.isQuote(before)) {
            return;
        }
        for (Option option : pass.options) {
            if (text.has(start, option.text()) && end - start == option.text().length()) {
                value(pass, option, end);
            }
        }
    }

    private void value(RedactionPass pass, Option option, int end) {
        char next = pass.text.at(end + 1);
        boolean closing =
                PaddedText.isQuote(pass.text.at(end)) && (PaddedText.isWhite(next) || next == ',' || next == ']');
        boolean apart = closing || PaddedText.isWhite(pass.text.at(end));
        switch (option.form()) {
            case "glued" -> secret(pass, apart ? -1 : end, option);
            case "apart" -> secret(pass, apart ? afterGap(pass.text, end) : -1, option);
            case "either" -> secret(pass, apart ? afterGap(pass.text, end) : end, option);
            case "user", "user%", "user=", "pass" -> user(pass, afterGap(pass.text, end), option);
            default -> throw new IllegalStateException("unknown option form " + option.form());
        }
    }

    /** Skips blanks, an equals sign, or the characters between two strings of a JSON array. */
    private static int afterGap(PaddedText text, int from) {
        int i = from;
        while (i - from < MAX_GAP && (PaddedText.isBlank(text.at(i)) || "\",=".indexOf(text.at(i)) >= 0)) {
            i++;
        }
        return i;
    }

    private void user(RedactionPass pass, int from, Option option) {
        PaddedText text = pass.text;
        boolean quoted = PaddedText.isQuote(text.at(from));
        char separator = option.form().equals("user%") ? '%' : option.form().equals("user=") ? '=' : ':';
        int i = from + (quoted ? 1 : 0);
        boolean separated = false;
        while (i - from < MAX_USER
                && !separated
                && !PaddedText.isWhite(text.at(i))
                && !(i > from && PaddedText.isQuote(text.at(i)))) {
            separated = text.at(i++) == separator;
        }
        if (separated && pass.endOfPlaceholder(from) < 0) {
            redact(pass, i, quoted ? text.at(from) : 0, option);
        }
    }

    private void secret(RedactionPass pass, int from, Option option) {
        char quote = pass.text.at(from);
        if (from > 0 && PaddedText.isQuote(quote)) {
            redact(pass, from + 1, quote, option);
        } else if (from > 0 && quote != '-') {
            redact(pass, from, (char) 0, option);
        }
    }

    /** Redacts up to the closing quote; without one up to white space or the enclosing quote. */
    private void redact(RedactionPass pass, int from, char quote, Option option) {
        PaddedText text = pass.text;
        int to = from;
        while (!isEnd(text, to, quote)) {
            to++;
        }
        boolean looks = !option.doubtful() || FalsePositiveFilter.looksSecret(text, from, to);
        if (looks && !(option.form().equals("either") && isPort(text, from, to))) {
            pass.redactValue(from, to, rule.name());
        }
    }

    private static boolean isEnd(PaddedText text, int at, char quote) {
        char c = text.at(at);
        if (c == 0 || c == '\n' || quote != 0) {
            return c == 0 || c == '\n' || c == quote;
        }
        return PaddedText.isWhite(c) || END.has(c) || c == '\\' && PaddedText.isQuote(text.at(at + 1));
    }

    /** Whether the value is a port mapping: {@code docker -p 8080:80}. */
    private static boolean isPort(PaddedText text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.at(i);
            if (!PaddedText.isDigit(c) && c != ':' && c != '.' && c != '/') {
                return text.has(i, "tcp") || text.has(i, "udp");
            }
        }
        return true;
    }
}
