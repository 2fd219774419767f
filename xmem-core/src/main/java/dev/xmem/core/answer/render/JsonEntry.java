package dev.xmem.core.answer.render;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Success;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** An entry as the JSON object of its stored line, with id, score and kind of match. Always in one line. */
final class JsonEntry implements EntryText {
    private static final String TRUNCATED = "\"truncated\":true";
    private static final String TEXT = "\"text\":";

    /** Beyond this a score says its digits in scientific form. */
    private static final double PLAIN_SCORES = 1e9;

    @Override
    public String whole(Match match) {
        String line = JsonLineScanner.inOneLine(match.entry().json());
        String inner =
                line.substring(line.indexOf('{') + 1, line.lastIndexOf('}')).strip();
        boolean lacksId = !JsonLineScanner.hasKey(line, "id");
        List<String> members = new ArrayList<>(3);
        members.add(lacksId ? "\"id\":" + TextSanitizer.json(match.entry().id()) : "");
        members.add(inner);
        members.add(why(match));
        members.removeIf(String::isEmpty);
        return "{" + String.join(",", members) + "}";
    }

    /** What identifies it as far as there is room, then the beginning of what it says. */
    @Override
    public IntFunction<String> cuts(Match match) {
        List<String> parts = identity(match.entry());
        parts.add(why(match));
        String gist = gist(match.entry());
        return most -> cut(parts, gist, most);
    }

    private static String cut(List<String> parts, String gist, int most) {
        StringBuilder out = new StringBuilder("{");
        int room = most - TRUNCATED.length() - 2;
        for (String part : parts) {
            if (part.length() < room) {
                out.append(part).append(',');
                room -= part.length() + 1;
            }
        }
        int left = room - TEXT.length() - 1;
        out.append(left > 3 ? TEXT + TextSanitizer.json(gist, left) + "," : "");
        return out.append(TRUNCATED).append('}').toString();
    }

    private static List<String> identity(Entry entry) {
        List<String> parts = new ArrayList<>();
        add(parts, "id", entry.id());
        add(parts, "ts", entry.ts().toString());
        add(parts, "type", type(entry));
        if (entry instanceof Failure failure) {
            add(parts, "tool", failure.tool());
            add(parts, "ctx_hash", failure.ctxHash());
        } else if (entry instanceof Success success) {
            add(parts, "tool", success.tool());
            add(parts, "ctx_hash", success.ctxHash());
        }
        return parts;
    }

    private static void add(List<String> parts, String name, String value) {
        parts.add('"' + name + "\":" + TextSanitizer.json(value));
    }

    private static String type(Entry entry) {
        return switch (entry.kind()) {
            case FAILURE -> "tool_failure";
            case SUCCESS -> "tool_success";
            case NOTE -> ((Note) entry).type();
            case DIRECTIVE -> "directive";
            case UNKNOWN -> "other";
        };
    }

    /** What the entry says, most telling first. */
    private static String gist(Entry entry) {
        if (entry instanceof Failure failure) {
            String avoid = failure.patternAvoid();
            return avoid == null ? failure.error() : avoid + " — " + failure.error();
        } else if (entry instanceof Success success) {
            return success.patternName() + ": " + String.join("; ", success.keySteps());
        } else if (entry instanceof Note note) {
            return note.content();
        } else if (entry instanceof Directive directive) {
            return directive.canonical();
        }
        return entry.json();
    }

    private static String why(Match match) {
        String likeness = match.matchType().name().toLowerCase(Locale.ROOT);
        return "\"score\":" + score(match.score()) + ",\"match\":\"" + likeness + '"';
    }

    private static String score(double score) {
        if (!Double.isFinite(score)) {
            return "0";
        } else if (Math.abs(score) > PLAIN_SCORES) {
            return Double.toString(score);
        }
        BigDecimal rounded = BigDecimal.valueOf(Math.round(score * 10_000), 4);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
