package dev.xmem.core.answer.render;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;

/** An entry as the JSON object of its stored line, with id, score and match type. Always in one line. */
final class JsonEntry implements EntryText {
    private static final String TRUNCATED = "\"truncated\":true";
    private static final String TEXT = "\"text\":";

    /** Larger scores are written in scientific notation. */
    private static final double PLAIN_SCORES = 1e9;

    /** The members that xmem adds. Those of a stored line are left out. */
    private static final Set<String> ADDED = Set.of("score", "match", "truncated");

    @Override
    public String whole(Match match) {
        String line = TextSanitizer.jsonInOneLine(match.entry().json());
        String id = match.entry().id();
        boolean shownAs = id.indexOf('@') >= 0;
        boolean plain =
                !shownAs && line.indexOf('\\') < 0 && ADDED.stream().noneMatch(name -> line.contains(quoted(name)));
        List<String> members = new ArrayList<>();
        if (plain) {
            members.add(hasId(line) ? "" : idMember(id));
            members.add(
                    line.substring(line.indexOf('{') + 1, line.lastIndexOf('}')).strip());
        } else {
            addMembers(members, line, shownAs ? id : "");
            if (shownAs || members.stream().noneMatch(member -> member.startsWith("\"id\""))) {
                members.add(0, idMember(id));
            }
        }
        members.add(score(match));
        members.removeIf(String::isEmpty);
        return "{" + String.join(",", members) + "}";
    }

    private static String idMember(String id) {
        return "\"id\":" + TextSanitizer.json(id);
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    /**
     * Adds the members of a line that xmem does not add, under their plain names; not the id if it is shown as another.
     */
    private static void addMembers(List<String> members, String line, String shownAs) {
        try {
            LineCodec.members(line, (name, value) -> {
                if (!ADDED.contains(name) && (shownAs.isEmpty() || !name.equals("id"))) {
                    members.add(TextSanitizer.json(name) + ':' + value);
                }
            });
        } catch (MalformedLineException e) {
            members.add("\"truncated\":true"); // a line that is no JSON
        }
    }

    /** Whether the outer object has an id. A key written with escapes is not recognised. */
    private static boolean hasId(String json) {
        int depth = 0;
        int i = 0;
        while (i < json.length()) {
            char c = json.charAt(i);
            if (c == '"') {
                int end = closingQuote(json, i);
                if (depth == 1
                        && json.startsWith("\"id\"", i)
                        && json.substring(end + 1).strip().startsWith(":")) {
                    return true;
                }
                i = end;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            i++;
        }
        return false;
    }

    private static int closingQuote(String json, int open) {
        int i = open + 1;
        while (i < json.length() && json.charAt(i) != '"') {
            i += json.charAt(i) == '\\' ? 2 : 1;
        }
        return i;
    }

    /** The fields that identify the entry as far as there is room, then the beginning of its text. */
    @Override
    public IntFunction<String> cuts(Match match) {
        List<String> parts = identity(match.entry());
        parts.add(score(match));
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

    /** The text of the entry, most important part first. */
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

    private static String score(Match match) {
        String type = match.matchType().name().toLowerCase(Locale.ROOT);
        return "\"score\":" + score(match.score()) + ",\"match\":\"" + type + '"';
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
