package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The simple class name and the message of an exception that a line reports. */
record ExceptionClass(String name, String message) {
    private static final int MAX_CHARS = 300;
    private static final Set<String> OTHERS =
            Set.of("KeyboardInterrupt", "SystemExit", "StopIteration", "StopAsyncIteration", "GeneratorExit");
    private static final Set<String> BASE = WordTables.list("exception-base");
    private static final List<String> PREFIXES = SalientLines.prefixes("exception-prefix");

    /** The exception that the line begins with, or null. */
    static @Nullable ExceptionClass of(String line) {
        int from = start(line);
        int end = classEnd(line, from);
        if (end <= from) {
            return ruby(line);
        }
        int last = Math.max(
                line.lastIndexOf('.', end - 1),
                Math.max(line.lastIndexOf(':', end - 1), line.lastIndexOf('\\', end - 1)));
        String name = line.substring(Math.max(last + 1, from), end);
        if (!followed(line, end) || !isClass(name, line, from, end) && !isOfErrors(name, line, from)) {
            return ruby(line);
        }
        String message = message(line, end);
        ExceptionClass inner = inner(message);
        return inner == null ? new ExceptionClass(name, message) : inner;
    }

    /** The exception of a driver that a library repeats: {@code (package.Class) message}; or null. */
    private static @Nullable ExceptionClass inner(String message) {
        int close = message.startsWith("(") ? message.indexOf(") ") : -1;
        String name = close < 0 || close > MAX_CHARS ? "" : message.substring(1, close);
        return name.indexOf('.') < 0 || classEnd(name, 0) < name.length()
                ? null
                : of(name + ": " + message.substring(close + 2));
    }

    private static int start(String line) {
        for (String prefix : PREFIXES) {
            if (line.startsWith(prefix)) {
                int quote = prefix.startsWith("Exception in") ? line.indexOf('"', prefix.length() + 1) : -1;
                int from = quote < 0 ? prefix.length() : quote + 2;
                while (from < line.length() && line.charAt(from) == ' ') {
                    from++;
                }
                return Math.min(from, line.length());
            }
        }
        return 0;
    }

    /** The end of a name whose parts are separated by a dot, a backslash or two colons. */
    private static int classEnd(String line, int from) {
        int limit = Math.min(line.length(), from + MAX_CHARS);
        int i = from;
        while (i < limit) {
            char c = line.charAt(i);
            boolean scope = c == ':' && i + 1 < limit && line.charAt(i + 1) == ':' && i > from;
            if (!scope && !Character.isLetterOrDigit(c) && "_$.\\".indexOf(c) < 0) {
                break;
            }
            i += scope ? 2 : 1;
        }
        return i;
    }

    private static boolean followed(String line, int end) {
        return end == line.length()
                || line.charAt(end) == ':' && (end + 1 == line.length() || line.charAt(end + 1) == ' ')
                || line.startsWith("; ", end)
                || line.startsWith(" (", end)
                || line.startsWith(" [", end);
    }

    private static boolean isClass(String name, String line, int from, int end) {
        if (name.isEmpty() || name.equals("Error") && end == line.length()) {
            return false;
        }
        if (Character.isUpperCase(name.charAt(0))) {
            int inner = name.indexOf('$');
            return CharClasses.isExceptionName(name, 0, name.length())
                    || inner > 0 && CharClasses.isExceptionName(name, 0, inner)
                    || OTHERS.contains(name);
        }
        return end - from > name.length()
                && (name.equals("gaierror") || name.equals("error") || name.equals("timeout"));
    }

    /** Whether a class is in a package for errors, such as {@code telegram.error.Forbidden}. */
    private static boolean isOfErrors(String name, String line, int from) {
        int end = line.indexOf(name, from);
        return end > from && Character.isUpperCase(name.charAt(0)) && hasErrors(line.substring(from, end));
    }

    private static boolean hasErrors(String parts) {
        return parts.contains(".error") || parts.contains(".exception");
    }

    /** The name if it tells causes apart; in a script, not if it is the class for all errors of a library. */
    @Nullable String telling(String line, boolean script) {
        return ErrorCodes.isGeneric(name) || script && isBase(line) ? null : name;
    }

    /**
     * Whether the class is one that a library uses for all errors: its words are general, or those of its package, such
     * as {@code pymilvus.exceptions.MilvusException}.
     */
    boolean isBase(String line) {
        int at = line.indexOf(name);
        String before = at < 0 ? "" : line.substring(0, at).toLowerCase(Locale.ROOT);
        return Slugs.all(name, word -> BASE.contains(word) || before.contains(word));
    }

    /** What follows the class; without the position that a parser of XML puts in front. */
    private static String message(String line, int end) {
        int i = end;
        while (line.startsWith("; ", i)) {
            int next = line.indexOf("; ", i + 2);
            int colon = line.indexOf(": ", i + 2);
            boolean position =
                    colon > 0 && colon < next && line.substring(i + 2, colon).indexOf(' ') < 0;
            i = position ? next : i + 2;
        }
        while (i < line.length() && (line.charAt(i) == ':' || line.charAt(i) == ' ')) {
            i++;
        }
        return line.substring(i);
    }

    /** {@code file:1:in `read': message (Errno::ENOENT)}. */
    private static @Nullable ExceptionClass ruby(String line) {
        int in = line.endsWith(")") ? line.indexOf(":in ") : -1;
        int message = in < 0 ? -1 : line.indexOf("': ", in);
        int open = message < 0 ? -1 : line.lastIndexOf(" (");
        if (message < 0 || open < message) {
            return null;
        }
        String name = line.substring(open + 2, line.length() - 1);
        int scope = name.lastIndexOf(':') + 1;
        if (name.isEmpty() || !Character.isUpperCase(name.charAt(0)) || name.indexOf(' ') >= 0) {
            return null;
        }
        return new ExceptionClass(name.substring(scope), line.substring(message + 3, open));
    }
}
