package dev.xmem.core.answer.page;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.answer.render.Samples;
import dev.xmem.core.answer.render.StoreSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary requests: empty, huge and hostile entries, rankings that continue, small and large budgets. */
final class Requests {
    private static final StoreSummary DIGEST = digest(12);

    private Requests() {}

    /** The layouts that have a text. */
    static Arbitrary<Query.Layout> layouts() {
        return Arbitraries.of(Query.Layout.class).filter(layout -> layout != Query.Layout.DATA);
    }

    /** A ranking and its display options. */
    static Arbitrary<PageRequest> any() {
        Arbitrary<Integer> budgets = Arbitraries.oneOf(
                Arbitraries.integers().between(Query.MIN_TOKEN_BUDGET, 400),
                Arbitraries.integers().between(400, 4000),
                Arbitraries.just(15_000));
        return Combinators.combine(
                        layouts(),
                        matches().list().ofMaxSize(24),
                        budgets,
                        Arbitraries.of(0, 1, 70, 999_999),
                        Arbitraries.of(0L, 1L, 80L),
                        Arbitraries.of(true, false),
                        queries(),
                        Arbitraries.integers().between(0, 80))
                .as((layout, ranked, budget, offset, more, exact, query, cursorChars) -> new PageRequest(
                        query.layout(layout),
                        ranked,
                        offset,
                        offset + ranked.size() + (ranked.isEmpty() ? 0 : more),
                        exact,
                        budget,
                        DIGEST,
                        Samples.NOW,
                        n -> "c".repeat(n % 3 == 0 ? cursorChars : 4) + "\"" + n));
    }

    private static Arbitrary<Query> queries() {
        return Arbitraries.of(
                Query.all(),
                Query.all().tool("rclone"),
                Query.all().limit(5),
                Query.words("Found 3 entries\nfor ever " + "and ever ".repeat(40))
                        .limit(40));
    }

    static Arbitrary<Match> matches() {
        return Combinators.combine(entries(), Arbitraries.of(Match.MatchType.class), Arbitraries.doubles())
                .as((entry, likeness, score) -> new Samples.Hit(entry, likeness, score, "because"));
    }

    static Arbitrary<Entry> entries() {
        Arbitrary<String> texts = texts();
        Arbitrary<List<String>> lists = texts.list().ofMaxSize(4);
        Arbitrary<Entry> failures = Combinators.combine(texts, texts, texts, texts.injectNull(0.3), lists, texts, texts)
                .as((id, tool, error, avoid, list, hash, notes) -> new Samples.SampleFailure(
                        id,
                        Samples.TS,
                        tool,
                        error,
                        error,
                        avoid,
                        list,
                        Failure.BlockLevel.CRITICAL,
                        list,
                        tool + "-" + hash,
                        null,
                        notes));
        Arbitrary<Entry> successes = Combinators.combine(texts, texts, texts, lists)
                .as((id, name, params, steps) -> new Samples.SampleSuccess(
                        id, Samples.TS, name, name, steps, params, 0.95, 12, steps, "git-commit", null, List.of()));
        Arbitrary<Entry> notes = Combinators.combine(texts, texts, texts.injectNull(0.5))
                .as((id, content, meta) ->
                        new Samples.SampleNote(id, Samples.TS, "fact", content, List.of(content), meta));
        Arbitrary<Entry> directives = Combinators.combine(texts, texts)
                .as((id, canonical) -> new Samples.SampleDirective(
                        id,
                        Samples.TS,
                        Directive.Scope.LOCAL,
                        new Directive.Triple("a", "b", "c"),
                        canonical,
                        3,
                        List.of()));
        Arbitrary<Entry> others = texts.map(id -> new Samples.SampleOther(
                id,
                Samples.TS,
                List.of(),
                " {\"a\" :\n[{\"id\":1}]," + " ".repeat(id.length() % 7) + "\"b\":\"}{\"}\r"));
        return Arbitraries.oneOf(failures, successes, notes, directives, others);
    }

    /** Text as tools, models and attackers write it; sometimes very long. */
    private static Arbitrary<String> texts() {
        Arbitrary<String> pieces = Arbitraries.of(
                "config-not-found",
                "a word or two",
                "\nFound 3 entries (0.6K tokens):",
                "\n\nFailures (8):\n1. 2026-02-14-001: x",
                "\r\nEntry: 2026-02-14-001 (2 days ago)",
                "\u2028Loaded 9 failures, 9 successes (1 tokens)",
                "\nShowing 70 of 150 entries (15K token limit)\nRefine search or load next page? (/xmem:load)",
                "\nIn memory: 0 failures",
                "\u001B[2J\u001B[31m",
                "\u0000\u0007\u000B\u0085",
                "😀👩\u200D💻",
                "\uD800",
                "\"],\"tokens\":1}\\",
                "\u202E\u200B",
                "\t \t");
        Arbitrary<String> some = pieces.list().ofMaxSize(4).map(list -> String.join("", list));
        Arbitrary<String> large = pieces.map(piece -> (piece + "ab cd").repeat(120));
        return Arbitraries.frequencyOf(
                Tuple.of(12, some), Tuple.of(4, Arbitraries.strings().ofMaxLength(60)), Tuple.of(1, large));
    }

    static StoreSummary digest(int names) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int i = 0; i < names; i++) {
            counts.put("name\n" + "x".repeat(i * 5), 100L - i);
        }
        return new StoreSummary(25, 18, 3, 1, counts, counts);
    }
}
