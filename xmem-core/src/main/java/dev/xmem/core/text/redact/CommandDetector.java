package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds what options of certain programs carry: {@code mysql -p…}, {@code curl -u user:…}. The sweep remembers the program
 * whose command it is in, so that nothing is read backwards. Immutable.
 */
final class CommandDetector {
    private static final String UNKNOWN = "*";
    private static final int MOST_BETWEEN = 6;
    private static final int LONGEST_USER = 128;

    private final RedactionRule rule;
    private final FalsePositiveFilter doubt;
    private final Map<String, List<Option>> programs = new LinkedHashMap<>();

    /** An option, and how its secret follows. */
    record Option(String text, String form, boolean doubtful) {}

    CommandDetector(RedactionRule rule, FalsePositiveFilter doubt) {
        this.rule = rule;
        this.doubt = doubt;
        for (String line : rule.lines("option")) {
            List<String> words = List.of(line.split(" "));
            for (String program : words.subList(2, words.size())) {
                Option option = new Option(words.get(0), words.get(1), program.equals(UNKNOWN));
                List<Option> options = programs.getOrDefault(program, new ArrayList<>());
                options.add(option);
                programs.put(program, options);
            }
        }
    }

    void addTo(Map<String, List<SecretDetector>> finders) {
        Map<String, SecretDetector> own = new LinkedHashMap<>();
        SecretDetector program = this::program;
        SecretDetector end = this::end;
        SecretDetector option = this::option;
        for (String name : programs.keySet()) {
            if (!name.equals(UNKNOWN)) {
                own.put(name, program);
            }
        }
        for (String literal : rule.words("scan")) {
            own.put(literal, end);
        }
        for (String text : optionTexts()) {
            own.put(text, option);
        }
        for (Map.Entry<String, SecretDetector> finder : own.entrySet()) {
            RedactionRules.add(finders, finder.getKey(), finder.getValue());
        }
    }

    private Set<String> optionTexts() {
        Set<String> texts = new TreeSet<>();
        for (List<Option> options : programs.values()) {
            for (Option option : options) {
                texts.add(option.text().toLowerCase(Locale.ROOT));
            }
        }
        return texts;
    }

    /** The options of a program; of an unknown one those that tell by themselves. */
    List<Option> optionsOf(String program) {
        String name = program.substring(program.lastIndexOf('/') + 1);
        return programs.getOrDefault(name, ofUnknown());
    }

    /** The options that tell by themselves. */
    List<Option> ofUnknown() {
        return programs.getOrDefault(UNKNOWN, List.of());
    }

    private void program(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        boolean begins = text.wordStartsAt(start) && "_-.=".indexOf(text.at(start - 1)) < 0;
        char next = text.at(end);
        if (begins && !PaddedText.isAlphanumeric(next) && next != '-' && next != '_' && next != ':') {
            sweep.options(optionsOf(text.from(start, end)));
        }
    }

    private void end(RedactionPass sweep, int start, int end) {
        if (sweep.text().at(start - 1) != '\\') {
            sweep.options(ofUnknown());
        }
    }

    private void option(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        char before = text.at(start - 1);
        if (start > 0 && !PaddedText.isWhite(before) && !PaddedText.isQuote(before)) {
            return;
        }
        for (Option option : sweep.options()) {
            if (text.has(start, option.text()) && end - start == option.text().length()) {
                value(sweep, option, end);
            }
        }
    }

    private void value(RedactionPass sweep, Option option, int end) {
        boolean apart = isApart(sweep.text(), end);
        switch (option.form()) {
            case "glued" -> secret(sweep, apart ? -1 : end, option);
            case "apart" -> secret(sweep, apart ? afterGap(sweep.text(), end) : -1, option);
            case "either" -> secret(sweep, apart ? afterGap(sweep.text(), end) : end, option);
            case "user", "user%", "user=", "pass" -> user(sweep, afterGap(sweep.text(), end), option);
            default -> throw new IllegalStateException("there is no form " + option.form());
        }
    }

    private static boolean isApart(PaddedText text, int i) {
        char next = text.at(i + 1);
        boolean closing = PaddedText.isQuote(text.at(i)) && (PaddedText.isWhite(next) || next == ',' || next == ']');
        return PaddedText.isWhite(text.at(i)) || closing;
    }

    /** Behind blanks, or what parts two words in a JSON array; an equals sign. */
    private static int afterGap(PaddedText text, int from) {
        int i = from;
        while (i - from < MOST_BETWEEN
                && (PaddedText.isBlank(text.at(i)) || text.at(i) == '"' || text.at(i) == ',' || text.at(i) == '=')) {
            i++;
        }
        return i;
    }

    private void user(RedactionPass sweep, int from, Option option) {
        PaddedText text = sweep.text();
        int i = from + (PaddedText.isQuote(text.at(from)) ? 1 : 0);
        boolean separator = false;
        char sign = option.form().startsWith("user") && option.form().length() > 4
                ? option.form().charAt(4)
                : ':';
        while (i - from < LONGEST_USER
                && !separator
                && !PaddedText.isWhite(text.at(i))
                && !(i > from && PaddedText.isQuote(text.at(i)))) {
            separator = text.at(i++) == sign;
        }
        if (separator && !sweep.isPlaceholder(from)) {
            until(sweep, i, i > from && PaddedText.isQuote(text.at(from)) ? text.at(from) : 0, option);
        }
    }

    private void secret(RedactionPass sweep, int from, Option option) {
        char quote = sweep.text().at(from);
        if (from > 0 && PaddedText.isQuote(quote)) {
            until(sweep, from + 1, quote, option);
        } else if (from > 0 && quote != '-') {
            until(sweep, from, (char) 0, option);
        }
    }

    /** Takes out what stands up to a closing quote, else up to white space or the quote that surrounds it all. */
    private void until(RedactionPass sweep, int from, char quote, Option option) {
        PaddedText text = sweep.text();
        int to = from;
        while (!isEnd(text, to, quote)) {
            to++;
        }
        boolean looks = !option.doubtful() || FalsePositiveFilter.looksSecret(text, from, to);
        if (to > from && looks && !doubt.isNothing(sweep, from, to) && !isPort(sweep, from, to, option)) {
            sweep.redact(from, to, sweep.specific(from, to, rule.name()));
        }
    }

    private static boolean isEnd(PaddedText text, int at, char quote) {
        char c = text.at(at);
        if (c == 0 || c == '\n' || quote != 0) {
            return c == 0 || c == '\n' || c == quote;
        }
        return PaddedText.isWhite(c)
                || PaddedText.isQuote(c)
                || c == '\\' && PaddedText.isQuote(text.at(at + 1))
                || c == ';'
                || c == '|'
                || c == '&';
    }

    /** {@code docker -p 8080:80}: ports where a password may stand. */
    private static boolean isPort(RedactionPass sweep, int from, int to, Option option) {
        if (!option.form().equals("either")) {
            return false;
        }
        for (int i = from; i < to; i++) {
            char c = sweep.text().at(i);
            if (!PaddedText.isDigit(c) && c != ':' && c != '.' && c != '/') {
                return sweep.text().has(i, "tcp") || sweep.text().has(i, "udp");
            }
        }
        return true;
    }
}
