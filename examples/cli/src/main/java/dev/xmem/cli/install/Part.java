package dev.xmem.cli.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What xmem adds to one file of an agent. A text that is empty is a file that does not exist. */
interface Part {
    /** Ends each command that xmem installs, as a comment of the shell: such entries are its own. */
    String MARK = "# xmem install";

    /** Whether a text may have entries of xmem. */
    static boolean isIn(String text) {
        return text.contains(MARK) || text.contains(JsonPart.VARIABLE);
    }

    Path path();

    /** Whether a text has all entries, which the user may have edited since. */
    default boolean isComplete(String text) throws IOException {
        return false;
    }

    /** Adds the entries to a text without them. */
    String add(String text) throws IOException;

    /**
     * Removes the entries.
     *
     * @param before the text before they were added; null if it is not known
     */
    String remove(String text, @Nullable String before) throws IOException;

    /** A file that has nothing but what xmem writes. */
    record WholeFile(Path path, String content) implements Part {
        @Override
        public String add(String text) throws IOException {
            if (!text.isEmpty()) {
                throw new InstallException("there is such a file, and xmem did not write it; move it away, then retry");
            }
            return content;
        }

        @Override
        public String remove(String text, @Nullable String before) {
            return text.contains(MARK) ? "" : text;
        }
    }

    /** A block at the end of a TOML file. */
    record TomlBlock(Path path, String table, String body) implements Part {
        private static final String BEGIN = MARK + ": begin";
        private static final String END = MARK + ": end";

        @Override
        public String add(String text) throws IOException {
            String line = text.contains("\r\n") ? "\r\n" : "\n";
            String parent = table.substring(0, table.indexOf('.'));
            String bare = text.replaceAll("[ \\t\"']", "");
            if (hasTable(bare, parent)) {
                throw new InstallException("it already has the table " + table + "; remove it, then retry");
            }
            if (Pattern.compile("(?m)^" + parent + "=\\{").matcher(bare).find()) {
                throw new InstallException("it has " + parent + " as an inline table, to which no table can be added;"
                        + " write [" + parent + ".NAME] for each of its members, then retry");
            }
            if (odd(text, "\"\"\"") || odd(text, "'''")) {
                throw new InstallException(
                        "it is not TOML: a text of several lines does not end; correct it, then retry");
            }
            String gap = text.isEmpty() || text.endsWith("\n") ? "" : line;
            String block = BEGIN + "\n[" + table + "]\n" + body + "\n" + END + "\n";
            return text + gap + block.replace("\n", line);
        }

        /** Whether the text may have the table, in any of the forms of TOML; a comment counts too. */
        private boolean hasTable(String bare, String parent) {
            String name = table.substring(parent.length() + 1);
            return Pattern.compile("(?m)^\\[" + parent + "\\." + name + "[].]|^" + parent + "\\." + name + "[.=]|^"
                            + name + "[.=]")
                    .matcher(bare)
                    .find();
        }

        private static boolean odd(String text, String quote) {
            return (text.split(Pattern.quote(quote), -1).length & 1) == 0;
        }

        @Override
        public String remove(String text, @Nullable String before) {
            int begin = text.indexOf(BEGIN);
            int end = text.indexOf(END, Math.max(begin, 0));
            if (begin < 0 || end < 0) {
                return text;
            }
            int next = text.indexOf('\n', end) + 1;
            String rest = next == 0 ? "" : text.substring(next);
            String head = text.substring(0, begin);
            boolean addedLine = rest.isEmpty() && before != null && !before.isEmpty() && !before.endsWith("\n");
            return (addedLine ? head.replaceAll("\r?\n\\z", "") : head) + rest;
        }
    }
}
