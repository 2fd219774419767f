package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a shell line into commands, each a list of unquoted words. Handles quotes, comments, redirections,
 * here-documents and the operators between commands; expands nothing.
 */
final class ShellTokenizer {
    private static final int MAX_CHARS = 4_096;
    private static final int MAX_WORDS = 400;

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private final List<Boolean> piped = new ArrayList<>();
    private List<String> command = new ArrayList<>();
    private boolean afterPipe;
    private String hereEnd = "";
    private int at;
    private int words;

    private ShellTokenizer(String line) {
        this.line = line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) : line;
    }

    static ShellTokenizer of(String line) {
        ShellTokenizer shell = new ShellTokenizer(line);
        shell.read();
        return shell;
    }

    /** The commands that have words, in order. */
    List<List<String>> commands() {
        return commands;
    }

    /** Whether a command reads the output of the previous one. */
    boolean isPiped(int command) {
        return piped.get(command);
    }

    private void read() {
        while (at < line.length() && words < MAX_WORDS) {
            char c = line.charAt(at);
            if (c == '\n') {
                end(false);
                at++;
                skipHereDocument();
            } else if (c == ' ' || c == '\t' || c == '\r') {
                at++;
            } else if (c == '#' && !command.isEmpty()) {
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
    }

    private static boolean isOperator(char c) {
        return c == ';' || c == '|' || c == '&' || c == '(' || c == ')';
    }

    private void operator(char c) {
        if (c == '&' && at + 1 < line.length() && line.charAt(at + 1) == '>') {
            at++;
            redirection();
            return;
        }
        boolean twice = at + 1 < line.length() && line.charAt(at + 1) == c;
        end(c == '|' && !twice);
        at += twice ? 2 : 1;
    }

    private void redirection() {
        boolean here = line.startsWith("<<", at) && !line.startsWith("<<<", at);
        while (at < line.length() && "<>&-|".indexOf(line.charAt(at)) >= 0) {
            at++;
        }
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        String target = at < line.length() && line.charAt(at) != '\n' ? text() : "";
        if (here) {
            hereEnd = target;
        }
    }

    private void word() {
        int from = at;
        String word = text();
        boolean descriptor = at < line.length()
                && (line.charAt(at) == '>' || line.charAt(at) == '<')
                && line.substring(from, at).chars().allMatch(c -> c >= '0' && c <= '9');
        if (at == from) {
            at++;
        } else if (!descriptor) {
            command.add(word);
            words++;
        }
    }

    /** Reads the word that begins here, without its quotes. */
    private String text() {
        StringBuilder out = new StringBuilder();
        char open = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '\\' && open != '\'' && at + 1 < line.length()) {
                out.append(line.charAt(++at));
            } else if (open != 0 && c != open) {
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
        return out.toString();
    }

    private void skipLine() {
        int end = line.indexOf('\n', at);
        at = end < 0 ? line.length() : end;
    }

    private void skipHereDocument() {
        if (hereEnd.isEmpty()) {
            return;
        }
        while (at < line.length()) {
            int from = at;
            skipLine();
            String text = line.substring(from, at).strip();
            at = Math.min(at + 1, line.length());
            if (text.equals(hereEnd)) {
                break;
            }
        }
        hereEnd = "";
    }

    private void end(boolean pipe) {
        if (!command.isEmpty()) {
            commands.add(command);
            piped.add(afterPipe);
            command = new ArrayList<>();
        }
        afterPipe = pipe;
    }
}
