package dev.xmem.spi;

import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * The family of similar events, {@code tool-action-pattern}, such as {@code rclone-sync-config-not-found}: lower-case
 * letters and digits joined by single hyphens, at most {@value #MAX_CHARS} characters, safe in file names and queries.
 * A failure whose error tells the cause has no action, such as {@code gh-auth-failed}, except for tools that mean
 * something else by each action, such as git. Immutable and thread-safe.
 */
public final class ContextHash {
    /** The maximum length of a hash, in characters. */
    public static final int MAX_CHARS = 96;

    private static final int MAX_READ = 1 << 14;

    private final String tool;
    private final String action;
    private final String pattern;
    private final String value;
    private final String operation;
    private final String subject;
    private final String explanation;

    private ContextHash(String tool, String action, String pattern) {
        this.tool = tool;
        this.action = action;
        this.pattern = pattern;
        this.value = join(tool, action, pattern);
        this.operation = pattern.isEmpty() ? value : join(tool, action);
        this.subject = "";
        this.explanation = "";
    }

    private ContextHash(ContextHash of, String subject, String explanation) {
        this.tool = of.tool;
        this.action = of.action;
        this.pattern = of.pattern;
        this.operation = of.operation;
        this.value = of.value;
        this.subject = subject;
        this.explanation = explanation;
    }

    /**
     * Creates a hash from its three parts. Each part is converted to a slug. Empty parts are omitted; without any part
     * the value is {@code unknown}.
     */
    public static ContextHash of(String tool, String action, String pattern) {
        return new ContextHash(
                slug(Objects.requireNonNull(tool, "tool")),
                slug(Objects.requireNonNull(action, "action")),
                slug(Objects.requireNonNull(pattern, "pattern")));
    }

    /** Returns a copy with a subject: the module, host, file or remote that the event concerns. Default: empty. */
    public ContextHash subject(String subject) {
        return new ContextHash(this, Objects.requireNonNull(subject, "subject"), explanation);
    }

    /** Returns a copy with a sentence that explains how the hash was computed. Default: empty. */
    public ContextHash explain(String because) {
        return new ContextHash(this, subject, Objects.requireNonNull(because, "because"));
    }

    /** Returns the complete hash. */
    public String value() {
        return value;
    }

    /** Returns tool and action, the part that is known before the call. */
    public String operation() {
        return operation;
    }

    /** Returns the part of the tool; may be empty. */
    public String tool() {
        return tool;
    }

    /** Returns the part of the action; may be empty. */
    public String action() {
        return action;
    }

    /** Returns the part of the error or success pattern; empty before the call. */
    public String pattern() {
        return pattern;
    }

    /** Returns the module, host, file or remote that the event concerns; empty if unknown. */
    public String subject() {
        return subject;
    }

    /** Returns how the hash was computed; empty if there is no explanation. */
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
        if (isSlug(text)) {
            return text;
        }
        // The JDK takes quadratic time for letters such as U+0130.
        String lower = text.substring(0, Math.min(MAX_READ, text.length())).toLowerCase(Locale.ROOT);
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

    /** Whether the text is lower-case letters and digits, joined by single hyphens. */
    private static boolean isSlug(String text) {
        boolean slug = text.length() <= MAX_CHARS;
        char before = '-';
        for (int i = 0; slug && i < text.length(); i++) {
            char c = text.charAt(i);
            slug = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' && before != '-';
            before = c;
        }
        return slug && (before != '-' || text.isEmpty());
    }
}
