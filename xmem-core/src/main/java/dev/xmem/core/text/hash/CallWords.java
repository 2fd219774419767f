package dev.xmem.core.text.hash;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The words of a call that the output of the call may repeat. */
final class CallWords {
    private static final int MAX_OPERANDS = 41;
    private static final int MAX_OPERAND_CHARS = 200;

    private static final LiteralPattern ENCODED = new LiteralPattern("%[0-9A-Fa-f]{2}");

    private CallWords() {}

    /** The words of the command line, which the error may repeat, without the name of the tool. */
    static Set<String> of(CommandLine.Call call) {
        Set<String> echo = new HashSet<>();
        int operands = Math.min(call.operands().size(), MAX_OPERANDS);
        for (int n = 0; n < operands; n++) {
            String operand = call.operands().get(n);
            int from = operand.startsWith("-") ? operand.indexOf('=') + 1 : 0;
            boolean text = operand.indexOf(' ') >= 0;
            if (from == 0 && operand.startsWith("-") || text && !call.words().isEmpty()) {
                continue;
            }
            if (from == 0 && isForm(operand)) {
                operand = values(operand);
            }
            int end = Math.min(operand.length(), MAX_OPERAND_CHARS);
            for (int i = from; i < end; i++) {
                int start = i;
                while (i < end && isLetter(operand.charAt(i))) {
                    i++;
                }
                String word = operand.substring(start, i).toLowerCase(Locale.ROOT);
                boolean whole = start == from && i == end;
                if (i > start && (whole || !WordTables.known(word))) {
                    echo.add(word);
                }
            }
        }
        echo.remove(call.tool());
        return echo;
    }

    private static boolean isLetter(char c) {
        return CharClasses.isLetter(c) || c >= 128 && Character.isLetter(c);
    }

    /** Whether the operand is a form as a request has it, {@code name=value&name=value}. */
    private static boolean isForm(String operand) {
        int equals = operand.indexOf('=');
        return equals > 0
                && operand.length() <= MAX_OPERAND_CHARS
                && operand.indexOf('&') > equals
                && operand.indexOf(' ') < 0
                && operand.indexOf('/') < 0;
    }

    /** The values of a form; what is encoded in them separates words. */
    private static String values(String form) {
        StringBuilder values = new StringBuilder();
        for (String pair : form.split("&", -1)) {
            String value = pair.substring(pair.indexOf('=') + 1);
            values.append(ENCODED.matcher(value).replaceAll(" ")).append(' ');
        }
        return values.toString();
    }
}
