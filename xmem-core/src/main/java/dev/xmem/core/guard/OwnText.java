package dev.xmem.core.guard;

import java.util.List;

/**
 * Takes out of a tool's output what the memory itself said: an agent that shows a log, or a tool that echoes its input, must
 * not have advice recorded as an error. Stateless; linear in the text.
 */
final class OwnText {
    private static final String MARK = "[xmem] ";
    private static final List<String> CONTINUED =
            List.of("also, ", "worked: ", "tried also, did not help: ", "notes: ");

    private OwnText() {}

    /** The text without every block of advice in it. */
    static String without(String text) {
        if (!text.contains(MARK)) {
            return text;
        }
        StringBuilder kept = new StringBuilder(text.length());
        boolean inside = false;
        for (String line : text.split("\n", -1)) {
            int mark = line.indexOf(MARK);
            inside = mark >= 0 || inside && CONTINUED.stream().anyMatch(line::startsWith);
            String foreign = mark > 0 ? line.substring(0, mark) : inside ? null : line;
            if (foreign != null) {
                kept.append(kept.isEmpty() ? "" : "\n").append(foreign);
            }
        }
        return kept.toString();
    }
}
