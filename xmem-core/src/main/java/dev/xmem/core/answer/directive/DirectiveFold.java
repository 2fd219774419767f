package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The lines of one directive, and what they say together. Collects lines of one scope and dedupe key. */
final class DirectiveFold {
    private static final Comparator<Line> ORDER = Comparator.<Line>comparingLong(
                    line -> line.directive.ts().toEpochMilli())
            .thenComparingInt(line -> line.directive.strength())
            .thenComparing(line -> line.json);

    private final Map<String, Line> distinct = new TreeMap<>();

    /** A line, and where it stands. */
    record Line(int log, int ordinal, Directive directive, String json) {
        boolean isOwn() {
            return directive.id().indexOf('@') < 0;
        }
    }

    void add(int log, int ordinal, Directive directive) {
        String json = directive.json();
        distinct.putIfAbsent(json, new Line(log, ordinal, directive, json));
    }

    /** All lines as one. What others say adds to the strength and the tags; one's own lines say the rest, where there are any. */
    FoldedDirective folded(LineCodec codec, boolean conflict) {
        List<Line> lines = new ArrayList<>(distinct.values());
        lines.sort(ORDER);
        Line first = lines.stream().filter(Line::isOwn).findFirst().orElse(lines.get(0));
        Line last = lines.stream().filter(Line::isOwn).reduce((a, b) -> b).orElse(lines.get(lines.size() - 1));
        long strength = (long) first.directive.strength() + lines.size() - 1;
        Set<String> tags = new LinkedHashSet<>();
        lines.forEach(line -> tags.addAll(line.directive.tags()));
        if (conflict) {
            tags.add("conflict");
        }
        Directive whole = whole(codec, last, id(lines), strength, List.copyOf(tags));
        return new FoldedDirective(last.log, last.ordinal, whole);
    }

    /** That of the first line; of the first of one's own where others said it too, so that they cannot amend it. */
    private static String id(List<Line> lines) {
        return lines.stream()
                .filter(Line::isOwn)
                .map(line -> line.directive.id())
                .findFirst()
                .orElse(lines.get(0).directive.id());
    }

    private static Directive whole(LineCodec codec, Line last, String id, long strength, List<String> tags) {
        try {
            Map<String, Object> fields = codec.fields(last.json.getBytes(StandardCharsets.UTF_8));
            fields.put("id", id);
            fields.put("strength", new RawJson(Long.toString(strength)));
            fields.put("tags", tags);
            LineBuffer line = new LineBuffer();
            codec.write(Schema.DIRECTIVE, new LinkedHashMap<>(fields), line);
            byte[] bytes = Arrays.copyOf(line.array(), line.length() - 1);
            return (Directive) StoredEntries.of(codec, Entry.Kind.DIRECTIVE, bytes, id);
        } catch (MalformedLineException e) {
            return last.directive;
        }
    }
}
