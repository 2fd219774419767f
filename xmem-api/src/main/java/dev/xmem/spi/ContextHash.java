package dev.xmem.spi;

import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * A family of events, {@code tool-action-pattern}, such as {@code rclone-sync-config-not-found}: lower case letters and
 * digits joined by single hyphens, at most {@value #MAX_CHARS} characters, safe in a file name and in a query. Immutable
 * and thread-safe.
 */
public final class ContextHash {
    /** The longest value, in characters. */
    public static final int MAX_CHARS = 96;

    private final String tool;
    private final String action;
    private final String pattern;
    private final String value;
    private final String operation;
    private final String subject;
    private final String explanation;

    private ContextHash(String tool, String action, String pattern, String subject, String explanation) {
        this.tool = tool;
        this.action = action;
        this.pattern = pattern;
        this.operation = join(tool, action);
        this.value = join(tool, action, pattern);
        this.subject = subject;
        this.explanation = explanation;
    }

    /**
     * A hash from its three parts. Each is brought into the form of a slug; empty parts are left out, and a value without
     * any part is {@code unknown}.
     */
    public static ContextHash of(String tool, String action, String pattern) {
        return new ContextHash(slug(tool), slug(action), slug(pattern), "", "");
    }

    /** The same family, about this module, host, file or remote. */
    public ContextHash subject(String subject) {
        return new ContextHash(tool, action, pattern, Objects.requireNonNull(subject, "subject"), explanation);
    }

    /** The same, with a sentence on how it came about. */
    public ContextHash explain(String because) {
        return new ContextHash(tool, action, pattern, subject, Objects.requireNonNull(because, "because"));
    }

    /** The whole hash. */
    public String value() {
        return value;
    }

    /** Tool and action: what is known before the call. */
    public String operation() {
        return operation;
    }

    /** The tool's part; may be empty. */
    public String tool() {
        return tool;
    }

    /** The action's part; may be empty. */
    public String action() {
        return action;
    }

    /** The part of the error or pattern; empty before the call. */
    public String pattern() {
        return pattern;
    }

    /** What it is about: a module, host, file or remote; empty if nothing was found. */
    public String subject() {
        return subject;
    }

    /** How it came about; empty unless asked for. */
    public String explanation() {
        return explanation;
    }

    @Override
    public String toString() {
        return value;
    }

    private static String join(String... parts) {
        StringJoiner joined = new StringJoiner("-");
        for (String part : parts) {
            if (!part.isEmpty()) {
                joined.add(part);
            }
        }
        String all = joined.length() == 0 ? "unknown" : joined.toString();
        int end = Math.min(all.length(), MAX_CHARS);
        while (all.charAt(end - 1) == '-') {
            end--;
        }
        return all.substring(0, end);
    }

    private static String slug(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        StringBuilder out = new StringBuilder(Math.min(lower.length(), MAX_CHARS));
        for (int i = 0; i < lower.length() && out.length() < MAX_CHARS; i++) {
            char c = lower.charAt(i);
            if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
                out.append(c);
            } else if (out.length() > 0 && out.charAt(out.length() - 1) != '-') {
                out.append('-');
            }
        }
        int end = out.length();
        return end > 0 && out.charAt(end - 1) == '-' ? out.substring(0, end - 1) : out.toString();
    }
}
