package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the values of password options: {@code mysql -p…}, {@code curl -u user:…}, {@code az login -p …}, and what
 * {@code echo} passes to a program that reads a password. The pass remembers the options of the program whose command
 * it is in; only before a subcommand are the words of the command read backwards, up to a maximum. Immutable.
 */
final class CommandDetector {
    private static final String UNKNOWN = "*";
    private static final String SUBCOMMAND = "+";
    private static final CharSet END = CharSet.of("\"'`;|&");
    private static final int MAX_GAP = 6;
    private static final int MAX_USER = 128;
    /** Shorter words that are printed into a program answer a question. */
    private static final int MIN_PRINTED = 4;

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s\"'`,\\[]+");
    private static final Pattern CIPHER = Pattern.compile("enc|(?:aes|des|camellia|aria)[a-z0-9-]*");
    /** How far the words of a command are read. */
    private static final int MAX_WORDS = 256;

    private final RedactionRule rule;
    private final Map<String, List<Option>> programs = new HashMap<>();
    /** By program, the words of its command with which it reads a password from its input. */
    private final Map<String, Set<String>> readers = new HashMap<>();

    private final Set<String> logins;
    private final Set<String> around;
    private final Set<String> unless;

    /**
     * An option that takes a secret.
     *
     * @param form how the secret follows, as {@code rules.txt} writes it
     * @param doubtful whether the program is unknown, so that the value must also look like a secret
     */
    record Option(String text, String form, boolean doubtful) {}

    CommandDetector(RedactionRule rule) {
        this.rule = rule;
        logins = Set.copyOf(rule.words("logins"));
        around = Set.copyOf(rule.words("around"));
        unless = Set.copyOf(rule.words("unless"));
        for (String line : rule.lines("option")) {
            List<String> words = List.of(line.split(" "));
            for (String program : words.subList(2, words.size())) {
                Option option = new Option(words.get(0), words.get(1), program.equals(UNKNOWN));
                List<Option> known = programs.getOrDefault(program, new ArrayList<>());
                known.add(option);
                programs.put(program, known);
            }
        }
        for (String line : rule.lines("stdin")) {
            List<String> words = List.of(line.split(" "));
            readers.put(words.get(0), Set.copyOf(words.subList(1, words.size())));
        }
    }

    void addTo(Map<String, List<SecretDetector>> detectors) {
        Set<String> options = new TreeSet<>();
        for (Map.Entry<String, List<Option>> program : programs.entrySet()) {
            if (program.getKey().startsWith(SUBCOMMAND)) {
                RedactionRules.add(detectors, program.getKey().substring(1), this::subcommand);
            } else if (!program.getKey().equals(UNKNOWN)) {
                RedactionRules.add(detectors, program.getKey(), this::program);
            }
            for (Option option : program.getValue()) {
                options.add(option.text().toLowerCase(Locale.ROOT));
            }
        }
        for (String literal : rule.words("scan")) {
            RedactionRules.add(detectors, literal, this::endOfCommand);
        }
        for (String literal : rule.words("prints")) {
            RedactionRules.add(detectors, literal, this::printed);
        }
        RedactionRules.add(detectors, "<<<", this::hereString);
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

    /** Adds the options that a subcommand has in any program. */
    private void subcommand(RedactionPass pass, int start, int end) {
        if (isWord(pass.text, start, end) && isSubcommand(pass.text, start)) {
            List<Option> options = programs.getOrDefault(SUBCOMMAND + pass.text.from(start, end), List.of());
            if (!pass.options.containsAll(options)) {
                List<Option> all = new ArrayList<>(pass.options);
                all.addAll(options);
                pass.options = all;
            }
        }
    }

    /** Redacts the last word that a command prints into a program that reads a password: {@code echo … | sudo -S}. */
    private void printed(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        int from = start;
        int to = end;
        int next = text.wordStartsAt(start) ? text.afterBlanks(end, MAX_WORDS) : start;
        while (next > to && next - start < MAX_WORDS && !isEndOfCommand(text.at(next))) {
            from = next;
            to = endOfWord(text, next);
            next = text.afterBlanks(to, MAX_WORDS);
        }
        int group = text.at(next) == ';' ? text.afterBlanks(next + 1, MAX_GAP) : next;
        int pipe = text.at(group) == '}' ? text.afterBlanks(group + 1, MAX_GAP) : next;
        if (from > start && text.at(pipe) == '|' && readsPassword(text, pipe + 1)) {
            passed(pass, from, to);
        }
    }

    /** Redacts the word that a shell passes to a program that reads a password: {@code sudo -S … <<< word}. */
    private void hereString(RedactionPass pass, int start, int end) {
        if (readsPassword(pass.text, startOfCommand(pass.text, start))) {
            int from = pass.text.afterBlanks(end, MAX_GAP);
            passed(pass, from, endOfWord(pass.text, from));
        }
    }

    private void passed(RedactionPass pass, int from, int to) {
        int quote = PaddedText.isQuote(pass.text.at(from)) ? 1 : 0;
        if (to - from - 2 * quote >= MIN_PRINTED) {
            pass.redactValue(from + quote, to - quote, rule.name());
        }
    }

    private boolean readsPassword(PaddedText text, int command) {
        Set<String> words = Set.of();
        int at = text.afterBlanks(command, MAX_WORDS);
        while (at - command < MAX_WORDS && !isEndOfCommand(text.at(at))) {
            int to = endOfWord(text, at);
            String word = text.from(at, to);
            words = readers.getOrDefault(word.substring(word.lastIndexOf('/') + 1), words);
            if (words.contains(word) || readers.getOrDefault(UNKNOWN, words).contains(word)) {
                return true;
            } else if (word.equals("xargs")) {
                return false; // what is printed are words of the command
            }
            at = text.afterBlanks(to, MAX_WORDS);
        }
        return false;
    }

    /** Whether the word that starts here is the first word behind the name of a program, its options left out. */
    private boolean isSubcommand(PaddedText text, int start) {
        int words = 0;
        String last = "";
        for (String word : wordsBefore(text, start)) {
            String name = word.substring(word.lastIndexOf('/') + 1);
            if (word.endsWith(":") || logins.contains(name) || programs.containsKey(name)) {
                words = word.endsWith(":") ? 0 : 1;
            } else if (!around.contains(word) && !last.startsWith("-") && word.charAt(0) != '-') {
                words += word.indexOf('=') < 0 ? 1 : 0;
            }
            last = word.indexOf('=') < 0 ? word : "=";
        }
        boolean named = words == 1 || words == 0 && (last.isEmpty() ? start == 0 : !last.endsWith(":"));
        return named && !last.startsWith("-") && !unless.contains(last.toLowerCase(Locale.ROOT));
    }

    private static List<String> wordsBefore(PaddedText text, int start) {
        String before = text.from(startOfCommand(text, start), start);
        return BETWEEN_WORDS
                .splitAsStream(before)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Where the command before an index begins, if that is near: at an operator, a line, or the quote around it. */
    private static int startOfCommand(PaddedText text, int index) {
        int from = index;
        while (index - from < MAX_WORDS && !isEndOfCommand(text.at(from - 1)) && !opens(text, from - 1)) {
            from--;
        }
        return from;
    }

    /** Whether a parenthesis, or a quote that is not in a JSON array, opens a command. */
    private static boolean opens(PaddedText text, int at) {
        char before = text.at(at - 1) == ' ' ? text.at(at - 2) : text.at(at - 1);
        return text.at(at) == '('
                || PaddedText.isQuote(text.at(at)) && PaddedText.isLetter(text.at(at + 1)) && "[,".indexOf(before) < 0;
    }

    private static boolean isEndOfCommand(char c) {
        return c == 0 || "\n;|&".indexOf(c) >= 0;
    }

    private static boolean isWord(PaddedText text, int start, int end) {
        return isApart(text.at(start - 1)) && isApart(text.at(end));
    }

    private static boolean isApart(char c) {
        return c == 0 || PaddedText.isWhite(c) || PaddedText.isQuote(c);
    }

    /** The end of a word of a shell, with its quotes; at least one character is read. */
    private static int endOfWord(PaddedText text, int from) {
        char quote = PaddedText.isQuote(text.at(from)) ? text.at(from) : 0;
        int to = from + 1;
        while (to - from < MAX_WORDS && !isEnd(text, to, quote)) {
            to++;
        }
        return to + (quote != 0 && text.at(to) == quote ? 1 : 0);
    }

    private void endOfCommand(RedactionPass pass, int start, int end) {
        if (pass.text.at(start - 1) != '\\') {
            pass.options = optionsOfUnknown();
        }
    }

    private void option(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        char before = text.at(start - 1);
        boolean path = before == '/' && PaddedText.isLetter(text.at(start));
        if (start > 0 && !path && !PaddedText.isWhite(before) && !PaddedText.isQuote(before)) {
            return;
        }
        for (Option option : pass.options) {
            boolean word = PaddedText.isLetter(option.text().charAt(0))
                    && !option.form().equals("batch");
            if (text.has(start, option.text())
                    && end - start == option.text().length()
                    && !(word && !isSubcommand(text, start))) {
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
            case "token" -> secret(pass, apart ? afterGap(pass.text, end) : -1, option);
            case "cipher" -> {
                boolean cipher = apart && wordsBefore(pass.text, end).stream().anyMatch(CIPHER.asMatchPredicate());
                secret(pass, cipher ? afterGap(pass.text, end) : -1, option);
            }
            case "batch" -> secret(pass, apart ? batchPassword(pass.text, end) : -1, option);
            case "last" -> secret(pass, apart ? lastWord(pass.text, end) : -1, option);
            case "word2" -> secret(pass, apart ? secondWord(pass.text, end) : -1, option);
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

    /** The word behind the next one in a command; -1 if there is none. */
    private static int secondWord(PaddedText text, int end) {
        boolean json = PaddedText.isQuote(text.at(end));
        int at = nextWord(text, endOfWord(text, nextWord(text, end, json)), json);
        return isEndOfCommand(text.at(at)) ? -1 : at;
    }

    /** The next word, if it ends its command; else -1. */
    private static int lastWord(PaddedText text, int end) {
        int at = nextWord(text, end, PaddedText.isQuote(text.at(end)));
        char after = text.at(text.afterBlanks(endOfWord(text, at), MAX_GAP));
        return isEndOfCommand(text.at(at)) || !isEndOfCommand(after) && !PaddedText.isQuote(after) ? -1 : at;
    }

    /** The password of {@code htpasswd -b FILE USER PASSWORD}; with {@code -n} without a file. -1 if there is none. */
    private static int batchPassword(PaddedText text, int end) {
        boolean json = PaddedText.isQuote(text.at(end));
        boolean batch = false;
        int missing = 3;
        int at = nextWord(text, end, json);
        while (at - end < MAX_WORDS && !isEndOfCommand(text.at(at))) {
            int to = endOfWord(text, at);
            boolean option = text.at(at) == '-';
            String letters = option ? text.from(at, to) : "";
            batch |= letters.indexOf('b') > 0;
            missing -= letters.indexOf('n') > 0 || !option ? 1 : 0;
            missing += letters.endsWith("C") || letters.endsWith("r") ? 1 : 0; // has a value
            if (missing == 0) {
                return batch ? at : -1;
            }
            at = nextWord(text, to, json);
        }
        return -1;
    }

    private static int nextWord(PaddedText text, int end, boolean json) {
        return json ? afterGap(text, end) : text.afterBlanks(end, MAX_GAP);
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
        boolean token = option.form().equals("token");
        boolean looks = !option.doubtful() && !token || FalsePositiveFilter.looksSecret(text, from, to);
        looks &= !token || !FalsePositiveFilter.isPath(text, from, to);
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
