package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Locale;

/** Parses the operation of a tool from its arguments. */
final class OperationParser {
    /** The operation of a tool that has none. */
    static final String ANY = "run";

    private static final LiteralPattern CMDLET = new LiteralPattern("[A-Z][A-Za-z]{1,30}-[A-Z][A-Za-z]{1,60}");

    private OperationParser() {}

    /** An operation's name and the words that follow it. */
    record Operation(String name, List<String> operands) {}

    static Operation of(String tool, List<String> arguments) {
        String phase = ToolTable.phase(tool);
        if (phase != null) {
            return new Operation(phase, arguments);
        }
        if (!ToolTable.hasOperations(tool)) {
            return unlisted(tool, arguments);
        }
        int at = first(tool, arguments);
        if (at >= arguments.size()) {
            String usual = ToolTable.alias(tool, "");
            return new Operation(usual.isEmpty() ? ANY : usual, arguments);
        }
        if (!isName(arguments.get(at))) {
            return new Operation(ANY, arguments);
        }
        String name = ToolTable.alias(tool, arguments.get(at).toLowerCase(Locale.ROOT));
        at++;
        if (ToolTable.isGroup(tool, name)) {
            int second = skipFlags(tool, arguments, at);
            if (second < arguments.size() && isName(arguments.get(second))) {
                name = ToolTable.alias(tool, name + '-' + arguments.get(second));
                at = second + 1;
            }
        }
        List<String> operands = arguments.subList(at, arguments.size());
        return new Operation(withFlags(tool, withScript(name, operands), operands), operands);
    }

    private static Operation unlisted(String tool, List<String> arguments) {
        if (!arguments.isEmpty() && !ToolTable.listed("plain", tool) && ToolTable.listed("verbs", arguments.get(0))) {
            return new Operation(arguments.get(0), arguments.subList(1, arguments.size()));
        }
        if (!arguments.isEmpty()
                && tool.equals("powershell")
                && CMDLET.matcher(arguments.get(0)).matches()) {
            return new Operation(arguments.get(0).toLowerCase(Locale.ROOT), arguments.subList(1, arguments.size()));
        }
        return new Operation(ANY, arguments);
    }

    /** {@code npm run test} is {@code npm test}. */
    private static String withScript(String name, List<String> operands) {
        return name.equals("run") && !operands.isEmpty() && operands.get(0).equals("test") ? "test" : name;
    }

    private static String withFlags(String tool, String name, List<String> operands) {
        for (String operand : operands) {
            String made = operand.startsWith("-") ? ToolTable.flagOperation(tool, name, operand) : null;
            if (made != null) {
                return name + '-' + made;
            }
        }
        return name;
    }

    private static int first(String tool, List<String> arguments) {
        int i = skipFlags(tool, arguments, 0);
        while (i < arguments.size() && arguments.get(i).startsWith("+")) {
            i = skipFlags(tool, arguments, i + 1);
        }
        return i;
    }

    /** The index of the first word that is neither a flag nor its value. */
    static int skipFlags(String tool, List<String> arguments, int from) {
        int i = from;
        while (i < arguments.size() && isFlag(tool, arguments.get(i))) {
            i += ToolTable.takesValue(tool, arguments.get(i)) ? 2 : 1;
        }
        return i;
    }

    private static boolean isFlag(String tool, String word) {
        return word.startsWith("-") || word.startsWith("/") && tool.equals("cmd");
    }

    private static boolean isName(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            if (!letter && (i == 0 || !(CharClasses.isDigit(c) || c == '-' || c == '_' || c == ':'))) {
                return false;
            }
        }
        return !word.isEmpty() && word.length() <= 40;
    }
}
