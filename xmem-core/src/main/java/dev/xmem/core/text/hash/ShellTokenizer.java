package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Splits a shell line into commands, each a list of unquoted words. Handles quotes, comments, redirections,
 * here-documents and the operators between commands; expands nothing. A command substitution stays one word.
 */
final class ShellTokenizer {
    private static final int MAX_CHARS = 4_096;
    private static final int MAX_WORDS = 400;

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private final List<Boolean> piped = new ArrayList<>();
    private final List<String> operators = new ArrayList<>();
    private final List<List<String>> redirections = new ArrayList<>();
    private final List<String> documents = new ArrayList<>();
    /** The words whose quotes matter, by identity: equal words may be written in different ways. */
    private final IdentityHashMap<String, String> quoted = new IdentityHashMap<>(2);

    private List<String> command = new ArrayList<>();
    private List<String> redirected = new ArrayList<>();
    private String operator = "";
    private String descriptor = "";
    private boolean afterPipe;
    private String hereEnd = "";
    private int hereCommand;
    private int at;
    private int words;

    private ShellTokenizer(String line) {
        this.line = line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) : line;
    }

    static ShellTokenizer of(String line) {
        return new ShellTokenizer(line).read();
    }

    /** The commands that have words, in order. */
    List<List<String>> commands() {
        return commands;
    }

    /** Whether a command reads the output of the previous one. */
    boolean isPiped(int command) {
        return piped.get(command);
    }

    /** The operators and parentheses before a command, or after the last one, without blanks. */
    String operators(int command) {
        return command < operators.size() ? operators.get(command) : operator;
    }

    /** The redirections of a command, such as {@code 2>&1} and {@code >log}. */
    List<String> redirections(int command) {
        return redirections.get(command);
    }

    /** The here-document that a command reads; empty if it reads none. */
    String document(int command) {
        return documents.get(command);
    }

    /**
     * One of the words as it is written if its quotes matter: {@code '*.txt'} is passed as it is, and the shell
     * replaces {@code *.txt}.
     */
    String written(String word) {
        return quoted.getOrDefault(word, word);
    }

    private ShellTokenizer read() {
        while (at < line.length() && words < MAX_WORDS) {
            char c = line.charAt(at);
            if (line.startsWith("\\\n", at)) {
                at += 2;
            } else if (c == '\n') {
                end(false);
                operator += ';';
                at++;
                skipHereDocument();
            } else if (c == ' ' || c == '\t' || c == '\r') {
                at++;
            } else if (c == '#') {
                skipLine();
            } else if (isOperator(c)) {
                operator(c);
            } else if (c == '<' || c == '>') {
                redirection();
            } else {
                word();
            }
        }
        end(false);
        return this;
    }

    private static boolean isOperator(char c) {
        return c == ';' || c == '|' || c == '&' || c == '(' || c == ')';
    }

    private void operator(char c) {
        if (c == '&' && at + 1 < line.length() && line.charAt(at + 1) == '>') {
            at++;
            descriptor = "&";
            redirection();
            return;
        }
        boolean twice = at + 1 < line.length() && line.charAt(at + 1) == c;
        end(c == '|' && !twice);
        operator += twice ? line.substring(at, at + 2) : String.valueOf(c);
        at += twice ? 2 : 1;
    }

    private void redirection() {
        boolean here = line.startsWith("<<", at) && !line.startsWith("<<<", at);
        int from = at;
        while (at < line.length() && "<>&-|".indexOf(line.charAt(at)) >= 0) {
            at++;
        }
        String sign = descriptor + line.substring(from, at);
        descriptor = "";
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        String target = at < line.length() && line.charAt(at) != '\n' ? text() : "";
        if (here) {
            hereEnd = target;
            hereCommand = commands.size();
        }
        boolean ofGroup = command.isEmpty() && operator.endsWith(")") && !redirections.isEmpty();
        (ofGroup ? redirections.get(redirections.size() - 1) : redirected).add(sign + target);
    }

    private void word() {
        int from = at;
        String word = text();
        boolean isDescriptor = at < line.length()
                && (line.charAt(at) == '>' || line.charAt(at) == '<')
                && line.substring(from, at).chars().allMatch(c -> c >= '0' && c <= '9');
        if (at == from) {
            at++;
        } else if (isDescriptor) {
            descriptor = word;
        } else {
            command.add(word);
            words++;
        }
    }

    /** Reads the word that begins here, without its quotes. */
    private String text() {
        StringBuilder out = new StringBuilder();
        char open = 0;
        char mark = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '\\' && open != '\'' && at + 1 < line.length()) {
                out.append(line.charAt(++at));
                mark = isPattern(line.charAt(at)) ? '\'' : mark;
            } else if (open != '\'' && (c == '`' || c == '$' && line.startsWith("$(", at))) {
                out.append(substitution());
            } else if (open != 0 && c != open) {
                mark = isPattern(c) && (c != '$' || open == '\'') ? '\'' : c == '$' ? '"' : mark;
                out.append(c);
            } else if (c == '\'' || c == '"') {
                open = open == 0 ? c : 0;
            } else if (c <= ' '
                    || isOperator(c) && !(c == '(' && out.toString().endsWith("$"))
                    || c == '<'
                    || c == '>') {
                break;
            } else {
                out.append(c);
            }
            at++;
        }
        String word = out.toString();
        if (mark != 0) {
            quoted.put(word, mark + word + mark);
        }
        return word;
    }

    /** Whether the shell replaces a character that is not quoted. */
    private static boolean isPattern(char c) {
        return c == '*' || c == '?' || c == '[' || c == '$';
    }

    /** Reads the command substitution that begins here. Moves to its last character. */
    private String substitution() {
        int from = at;
        boolean ticks = line.charAt(at) == '`';
        int depth = 0;
        for (at++; at < line.length(); at++) {
            char c = line.charAt(at);
            depth += ticks ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
            if (ticks ? c == '`' : c == ')' && depth == 0) {
                break;
            }
        }
        at = Math.min(at, line.length() - 1);
        return line.substring(from, at + 1);
    }

    private void skipLine() {
        int end = line.indexOf('\n', at);
        at = end < 0 ? line.length() : end;
    }

    private void skipHereDocument() {
        if (hereEnd.isEmpty()) {
            return;
        }
        int begin = at;
        int end = line.length();
        while (at < line.length()) {
            int from = at;
            skipLine();
            String text = line.substring(from, at).strip();
            at = Math.min(at + 1, line.length());
            if (text.equals(hereEnd)) {
                end = from;
                break;
            }
        }
        if (hereCommand < documents.size()) {
            documents.set(hereCommand, line.substring(begin, end));
        }
        hereEnd = "";
    }

    private void end(boolean pipe) {
        if (!command.isEmpty()) {
            commands.add(command);
            piped.add(afterPipe);
            documents.add("");
            operators.add(operator);
            redirections.add(redirected);
            command = new ArrayList<>();
            redirected = new ArrayList<>();
            operator = "";
        }
        afterPipe = pipe;
    }
}
