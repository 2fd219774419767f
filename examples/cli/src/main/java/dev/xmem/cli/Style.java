package dev.xmem.cli;

import dev.xmem.core.XMem;
import java.time.Duration;
import java.time.Instant;

/** Colours and ages for a person at a terminal; without colour if the variable {@code NO_COLOR} is set. Immutable. */
record Style(boolean colours) {
    private static final String ESCAPE = "\u001b[";
    private static final int DAYS = 60;

    static Style of(Environment environment) {
        boolean wanted = environment.variables().getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.variables().get("TERM"));
        return new Style(wanted && environment.terminal());
    }

    private String with(String code, String text) {
        return colours ? ESCAPE + code + 'm' + text + ESCAPE + "0m" : text;
    }

    String bold(String text) {
        return with("1", text);
    }

    String dim(String text) {
        return with("2", text);
    }

    String good(String text) {
        return with("32", text);
    }

    String bad(String text) {
        return with("31", text);
    }

    /** A stored text in one line of at most this many characters. */
    static String line(String text, int most) {
        String line = XMem.visible(text).replaceAll("\\s+", " ").strip();
        return line.codePointCount(0, line.length()) <= most
                ? line
                : line.substring(0, line.offsetByCodePoints(0, most - 1)) + "…";
    }

    static String age(Instant ts, Instant now) {
        Duration age = Duration.between(ts, now);
        if (ts.equals(Instant.EPOCH)) {
            return "no time";
        } else if (age.toMinutes() < 1) {
            return "just now";
        } else if (age.toHours() < 1) {
            return CountedNoun.of(age.toMinutes(), "minute") + " ago";
        } else if (age.toDays() < 1) {
            return CountedNoun.of(age.toHours(), "hour") + " ago";
        }
        return age.toDays() < DAYS
                ? CountedNoun.of(age.toDays(), "day") + " ago"
                : CountedNoun.of(age.toDays() / 30, "month") + " ago";
    }
}
