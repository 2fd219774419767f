package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Searches of random stores, against a filtered and sorted list. */
class SearchPropertyTest {
    private static final List<String> TOOLS = List.of("git", "npm", "Git");
    private static final List<String> TAGS = List.of("net", "push", "Net");
    private static final List<String> HASHES = List.of("a-b-c", "git-push-x");
    private static final List<String> SESSIONS = List.of("s1", "s2");
    private static final List<String> TYPES = List.of("note", "fact");
    private static final List<String> WORDS =
            List.of("walrus", "marmot", "badger", "pigeon", "ferret", "otter", "gecko", "lemur");
    private static final long DAY_SECONDS = 86_400;

    /** An entry to record. */
    private record Item(
            Entry.Kind kind,
            String tool,
            Set<String> tags,
            String hash,
            String session,
            String type,
            Instant ts,
            String text) {
        String json(int number) {
            StringJoiner tagList = new StringJoiner("','", "['", "']").setEmptyValue("[]");
            tags.forEach(tagList::add);
            String common = "'ts':'" + ts + "','tags':" + tagList;
            String ofTool = "'tool':'" + tool + "','ctx_hash':'" + hash + "','session_id':'" + session + "',";
            return switch (kind) {
                case FAILURE ->
                    "{'type':'tool_failure'," + ofTool + "'error':'" + text + " #" + number + "'," + common + "}";
                case SUCCESS ->
                    "{'type':'tool_success'," + ofTool + "'pattern_name':'" + text + " #" + number + "'," + common
                            + "}";
                default -> "{'type':'" + type + "','content':'" + text + " #" + number + "'," + common + "}";
            };
        }

        boolean ofTool() {
            return kind != Entry.Kind.NOTE;
        }

        Instant clamped() {
            Instant latest = Stores.NOW.plusSeconds(60);
            return ts.isAfter(latest) ? latest : ts;
        }
    }

    /** An entry in the list of the expected results. */
    private record Known(Item item, String id, int position) {}

    @Provide
    Arbitrary<List<Item>> items() {
        Arbitrary<Entry.Kind> kinds = Arbitraries.of(Entry.Kind.FAILURE, Entry.Kind.SUCCESS, Entry.Kind.NOTE);
        Arbitrary<Instant> times =
                Arbitraries.integers().between(-4, 2).map(days -> Stores.NOW.plusSeconds(days * DAY_SECONDS));
        Arbitrary<String> texts = Arbitraries.of(WORDS).set().ofSize(4).map(words -> String.join(" ", words));
        return Combinators.combine(
                        kinds,
                        Arbitraries.of(TOOLS),
                        Arbitraries.of(TAGS).set().ofMaxSize(2),
                        Arbitraries.of(HASHES),
                        Arbitraries.of(SESSIONS),
                        Arbitraries.of(TYPES),
                        times,
                        texts)
                .as(Item::new)
                .list()
                .ofMaxSize(40);
    }

    @Provide
    Arbitrary<Query> filters() {
        Arbitrary<Query> byNames = Combinators.combine(
                        Arbitraries.of(TOOLS).injectNull(0.6),
                        Arbitraries.of(TAGS).injectNull(0.6),
                        Arbitraries.of(HASHES).injectNull(0.7),
                        Arbitraries.of(SESSIONS).injectNull(0.7),
                        Arbitraries.of("note", "fact", "tool_failure").injectNull(0.8))
                .as((tool, tag, hash, session, type) -> {
                    Query query = tool == null ? Query.all() : Query.all().tool(tool);
                    query = tag == null ? query : query.tag(tag);
                    query = hash == null ? query : query.ctxHash(hash);
                    query = session == null ? query : query.session(session);
                    return type == null ? query : query.type(type);
                });
        Arbitrary<Instant> ends = Arbitraries.integers()
                .between(-5, 3)
                .map(days -> Stores.NOW.plusSeconds(days * DAY_SECONDS))
                .injectNull(0.6);
        Arbitrary<Set<Entry.Kind>> kinds =
                Arbitraries.of(Entry.Kind.class).set().ofMaxSize(3);
        return Combinators.combine(byNames, kinds, ends, ends, Arbitraries.of(Query.Order.class))
                .as((query, some, from, to, order) -> query.kind(some.toArray(Entry.Kind[]::new))
                        .between(from, to)
                        .order(order));
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void search_byFiltersAndText_isTheFilteredSortedList(
            @ForAll("items") List<Item> items,
            @ForAll("filters") Query filters,
            @ForAll Query.TextMode mode,
            @ForAll("word") String word) {
        Query query = switch (mode) {
            case LITERAL -> with(filters, Query.literal(word.substring(1)));
            case REGEX -> with(filters, Query.regex(word.charAt(0) + "." + word.substring(2) + "\\b.*#\\d+$"));
            default -> filters;
        };
        boolean text = query.textMode() != Query.TextMode.NONE;
        try (XMemStore store = Stores.inMemory()) {
            List<String> expected = list(store, items).stream()
                    .filter(known -> passes(known, filters) && (!text || known.item.text.contains(word)))
                    .map(Known::id)
                    .toList();
            checkPages(store, query, expected);
        }
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void search_notesByOneWord_areAllThatHaveItInTheirOrder(
            @ForAll("items") List<Item> items, @ForAll("filters") Query filters, @ForAll("word") String word) {
        Query query = with(filters.kind(Entry.Kind.NOTE), Query.words(word));
        List<Item> notes =
                items.stream().filter(item -> item.kind == Entry.Kind.NOTE).toList();
        try (XMemStore store = Stores.inMemory()) {
            List<String> expected = list(store, notes).stream()
                    .filter(known -> passes(known, query) && known.item.text.contains(word))
                    .map(Known::id)
                    .toList();
            if (query.order() == Query.Order.NEWEST) {
                checkPages(store, query, expected);
            } else {
                assertThat(Stores.ids(store.search(query))).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void search_bySeveralWords_isOrderedAndPassesTheFilters(
            @ForAll("items") List<Item> items,
            @ForAll("filters") Query filters,
            @ForAll("word") String one,
            @ForAll("word") String two) {
        Query query = with(filters, Query.words(one + " " + two));
        try (XMemStore store = Stores.inMemory()) {
            List<Known> list = list(store, items);
            List<String> ids = list.stream().map(Known::id).toList();
            Page page = store.search(query);
            Match before = null;
            for (Match match : page.matches()) {
                int place = ids.indexOf(match.entry().id());
                Known known = list.get(place);
                assertThat(passes(known, filters)).isTrue();
                assertThat(known.item.text.contains(one) || known.item.text.contains(two))
                        .isTrue();
                if (before != null) {
                    boolean byScore = query.order() == Query.Order.RELEVANCE;
                    assertThat(!byScore || match.score() <= before.score()).isTrue();
                    boolean tie = !byScore || match.score() == before.score();
                    assertThat(!tie || place > ids.indexOf(before.entry().id())).isTrue();
                }
                before = match;
            }
            assertThat(page.total()).isEqualTo(page.matches().size());
        }
    }

    @Provide
    Arbitrary<String> word() {
        return Arbitraries.of(WORDS);
    }

    /** A text with the filters of another query. */
    private static Query with(Query filters, Query text) {
        Query query = text.kind(filters.kinds().toArray(Entry.Kind[]::new))
                .between(filters.from(), filters.to())
                .order(filters.order());
        query = filters.tool() == null ? query : query.tool(filters.tool());
        query = filters.tag() == null ? query : query.tag(filters.tag());
        query = filters.ctxHash() == null ? query : query.ctxHash(filters.ctxHash());
        query = filters.session() == null ? query : query.session(filters.session());
        return filters.type() == null ? query : query.type(filters.type());
    }

    /** Pages by offset, and by limits that do not divide the whole. */
    private static void checkPages(XMemStore store, Query query, List<String> expected) {
        Page whole = store.search(query);
        assertThat(Stores.ids(whole)).isEqualTo(expected);
        assertThat(whole.total()).isEqualTo(expected.size());
        assertThat(whole.totalIsExact()).isTrue();
        for (int offset = 0; offset <= expected.size() + 1; offset += 7) {
            Page page = store.search(query.offset(offset).limit(5));
            int from = Math.min(offset, expected.size());
            assertThat(Stores.ids(page)).isEqualTo(expected.subList(from, Math.min(from + 5, expected.size())));
            assertThat(page.total()).isEqualTo(expected.size());
        }
    }

    private static List<Known> list(XMemStore store, List<Item> items) {
        List<JsonDraft> drafts = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            drafts.add(JsonDraft.of(items.get(i).json(i).replace('\'', '"')));
        }
        List<Entry> recorded = store.recordAll(drafts);
        List<Known> list = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            list.add(new Known(items.get(i), recorded.get(i).id(), i));
        }
        list.sort(Comparator.comparing((Known known) -> known.item.clamped())
                .reversed()
                .thenComparing(known -> known.item.kind)
                .thenComparing(Comparator.comparingInt(Known::position).reversed()));
        return list;
    }

    private static boolean passes(Known known, Query query) {
        Item item = known.item;
        return (query.kinds().isEmpty() || query.kinds().contains(item.kind))
                && (query.tool() == null || item.ofTool() && item.tool.equalsIgnoreCase(query.tool()))
                && (query.tag() == null || item.tags.stream().anyMatch(query.tag()::equalsIgnoreCase))
                && (query.ctxHash() == null || item.ofTool() && item.hash.equals(query.ctxHash()))
                && (query.session() == null || item.ofTool() && item.session.equals(query.session()))
                && (query.type() == null || query.type().equals(type(item)))
                && (query.from() == null || !item.ts.isBefore(query.from()))
                && (query.to() == null || item.ts.isBefore(query.to()));
    }

    private static String type(Item item) {
        return switch (item.kind) {
            case FAILURE -> "tool_failure";
            case SUCCESS -> "tool_success";
            default -> item.type;
        };
    }
}
