package dev.xmem;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The tool and action of a command line. Parses just enough shell syntax to find the program; a
 * {@link dev.xmem.spi.ContextHasher} parses the line in detail.
 */
record ShellQuoting(String tool, String action) {
    private static final Set<String> WRAPPERS =
            Set.of("sudo", "doas", "env", "time", "nohup", "nice", "timeout", "exec", "command", "setsid", "stdbuf");
    private static final Set<String> SEPARATORS = Set.of("&&", "||", ";", "|", "&");
    private static final Set<String> KEYWORDS = Set.of("if", "then", "while", "until", "do", "!", "{", "(");
    private static final Set<String> PRELUDES = Set.of("cd", "export", "source", ".", "set");

    static ShellQuoting of(List<String> argv) {
        StringBuilder line = new StringBuilder();
        for (String word : argv) {
            line.append(line.length() == 0 ? "" : " ").append(quote(word));
        }
        return named(argv, line.toString());
    }

    static ShellQuoting of(String line) {
        String stripped = line.strip();
        return named(words(stripped), stripped);
    }

    private static ShellQuoting named(List<String> words, String line) {
        int at = program(words);
        if (at >= words.size()) {
            return new ShellQuoting("shell", line);
        }
        String tool = baseName(words.get(at));
        boolean plain = at == 0 && !isPath(words.get(0)) && Collections.disjoint(words, SEPARATORS);
        return new ShellQuoting(tool, plain ? afterFirstWord(line) : line);
    }

    /** The index of the first word that is a program and not a wrapper, prelude, assignment or separator. */
    private static int program(List<String> words) {
        int i = 0;
        while (i < words.size()) {
            String word = words.get(i);
            if (PRELUDES.contains(word) && nextCommand(words, i) < words.size()) {
                i = nextCommand(words, i);
            } else if (WRAPPERS.contains(baseName(word)) && i + 1 < words.size()) {
                i = afterWrapper(words, i);
            } else if (isAssignment(word) || SEPARATORS.contains(word) || KEYWORDS.contains(word)) {
                i++;
            } else {
                return i;
            }
        }
        return i;
    }

    /** Whether a word sets a variable for the program that follows. */
    private static boolean isAssignment(String word) {
        int sign = word.indexOf('=');
        for (int i = 0; i < sign; i++) {
            char c = word.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
            if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
                return false;
            }
        }
        return sign > 0 && word.indexOf('\n') < 0 && word.indexOf('\r') < 0;
    }

    private static int nextCommand(List<String> words, int i) {
        int j = i;
        while (j < words.size() && !SEPARATORS.contains(words.get(j))) {
            j++;
        }
        return j + 1;
    }

    private static int afterWrapper(List<String> words, int i) {
        int j = i + 1;
        while (j < words.size()
                && (words.get(j).startsWith("-") || words.get(j).matches("[0-9]+(\\.[0-9]+)?[smhd]?"))) {
            boolean takesValue = words.get(j).matches("-[ugksn]");
            j += takesValue ? 2 : 1;
        }
        return Math.min(j, words.size());
    }

    private static String baseName(String word) {
        String name = word.substring(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
        boolean program = endsWith(name, ".exe") || endsWith(name, ".cmd") || endsWith(name, ".bat");
        String base = program && name.length() > 4 ? name.substring(0, name.length() - 4) : name;
        return base.isEmpty() ? "shell" : base;
    }

    private static boolean endsWith(String name, String ending) {
        return name.regionMatches(true, name.length() - ending.length(), ending, 0, ending.length());
    }

    private static boolean isPath(String word) {
        return word.indexOf('/') >= 0 || word.indexOf('\\') >= 0;
    }

    private static String afterFirstWord(String line) {
        int i = 0;
        char open = 0;
        while (i < line.length() && (open != 0 || !Character.isWhitespace(line.charAt(i)))) {
            char c = line.charAt(i);
            if (open == 0 ? c == '\'' || c == '"' : c == open) {
                open = open == 0 ? c : 0;
            }
            i++;
        }
        return line.substring(i).strip();
    }

    private static String quote(String word) {
        boolean plain = !word.isEmpty();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            plain &= !Character.isWhitespace(c) && "'\"\\|&;<>$`".indexOf(c) < 0;
        }
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * Splits a shell line into words without quotes; separators are words of their own. The end of a line separates
     * commands unless a backslash is in front of it. A comment has no words.
     */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char open = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (open != 0) {
                open = c == open ? 0 : keep(word, c, open);
            } else if (c == '\'' || c == '"') {
                open = c;
            } else if (c == '\n') {
                flush(words, word);
                words.add(";");
            } else if (line.startsWith("\\\n", i)) {
                i++;
            } else if (c == '#' && word.length() == 0) {
                int end = line.indexOf('\n', i);
                i = (end < 0 ? line.length() : end) - 1;
            } else if (Character.isWhitespace(c)) {
                flush(words, word);
            } else if (c == '(' && word.length() == 0) {
                words.add("(");
            } else if (c == ';' || c == '|' || c == '&') {
                flush(words, word);
                boolean twice = i + 1 < line.length() && line.charAt(i + 1) == c && c != ';';
                words.add(line.substring(i, i + (twice ? 2 : 1)));
                i += twice ? 1 : 0;
            } else {
                word.append(c);
            }
        }
        flush(words, word);
        return words;
    }

    private static char keep(StringBuilder word, char c, char open) {
        word.append(c);
        return open;
    }

    private static void flush(List<String> words, StringBuilder word) {
        if (word.length() > 0) {
            words.add(word.toString());
            word.setLength(0);
        }
    }
}
