package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.core.text.redact.Redaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Any entry survives record, close, open and read. */
public class EntryRoundTripPropertyTest {
    private static final Path DIRECTORY = Path.of("/store");

    /** Ordinary words, every kind of character that may trip a line format, and all of Unicode. */
    public static Arbitrary<String> texts() {
        Arbitrary<String> awkward = Arbitraries.of(
                        "\n",
                        "\r\n",
                        "\t",
                        "\0",
                        "\u001b[31m",
                        "\"",
                        "\\",
                        "\\n",
                        "\\u0041",
                        "{\"a\":1}",
                        "]",
                        "'",
                        "\u2028",
                        "\u0085",
                        "😀",
                        "𝔘",
                        "\uD83D",
                        "\uDE00",
                        "\uFEFF",
                        "\uFFFF",
                        "é",
                        "e\u0301",
                        "<<<<<<<",
                        "error: ",
                        "x",
                        " ",
                        "/a/b.txt",
                        "=")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
        return Arbitraries.frequencyOf(
                Tuple.of(4, awkward),
                Tuple.of(2, Arbitraries.strings().ofMaxLength(40)),
                Tuple.of(2, Arbitraries.of("git", "npm", "push", "ETIMEDOUT", "permission denied")),
                Tuple.of(1, Arbitraries.strings().ofMinLength(300).ofMaxLength(900)));
    }

    private static Arbitrary<String[]> lists() {
        return texts().array(String[].class).ofMaxSize(4);
    }

    private static Arbitrary<String> names() {
        return texts().filter(text -> !text.isBlank()).map(text -> "n" + text);
    }

    private static Arbitrary<EntryDraft> failures() {
        return Combinators.combine(names(), texts(), texts(), texts(), lists(), lists(), texts())
                .as((tool, action, error, avoid, tried, tags, notes) -> Failure.of(tool, action, error)
                        .patternAvoid(avoid)
                        .triedAlso(tried)
                        .tags(cut(tags))
                        .sessionId(notes)
                        .notes(notes)
                        .blockLevel(tags.length % 2 == 0 ? Failure.BlockLevel.CRITICAL : Failure.BlockLevel.WARNING));
    }

    private static Arbitrary<EntryDraft> successes() {
        return Combinators.combine(
                        names(),
                        names(),
                        lists(),
                        texts(),
                        Arbitraries.doubles().between(0, 1),
                        lists())
                .as((tool, name, steps, text, confidence, tags) -> Success.of(tool, name)
                        .keySteps(steps)
                        .criticalParams(
                                "{\"" + (char) ('a' + tags.length) + "\":[1.50,-0,1e400,true,null,\"\\ud83d\\ude00\"]}")
                        .confidence(confidence)
                        .action(text)
                        .signature(text)
                        .sessionId(text)
                        .answers(ofAPeer(steps))
                        .tags(cut(tags)));
    }

    /** Ids that are not looked up. */
    private static String[] ofAPeer(String[] ids) {
        return Arrays.stream(ids).map(id -> id + "@0a1b2c3d").toArray(String[]::new);
    }

    private static Arbitrary<EntryDraft> notes() {
        return Combinators.combine(names(), texts(), lists())
                .as((type, content, tags) ->
                        Note.of(type, content).tags(cut(tags)).meta("{\"n\":" + tags.length + ",\"o\":{\"a\":[[]]}}"));
    }

    private static Arbitrary<EntryDraft> directives() {
        Arbitrary<String> short60 = names().map(text -> text.substring(0, Math.min(60, text.length())));
        return Combinators.combine(short60, short60, short60, lists())
                .as((subject, predicate, object, tags) -> Directive.rule(
                                new Directive.Triple(subject, predicate, object))
                        .tags(cut(tags)));
    }

    private static String[] cut(String[] tags) {
        return Arrays.stream(tags)
                .map(tag -> tag.substring(0, Math.min(100, tag.length())))
                .filter(tag -> !clean(tag).isBlank())
                .toArray(String[]::new);
    }

    @Provide
    Arbitrary<List<EntryDraft>> drafts() {
        return Arbitraries.oneOf(failures(), successes(), notes(), directives())
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
    void record_anyEntries_areThereUnchangedAfterTheNextOpen(@ForAll("drafts") List<EntryDraft> drafts) {
        FileSystem disk = new InMemoryFileSystem();
        List<Entry> recorded = new ArrayList<>();
        try (XMemStore store = TestStores.builder(DIRECTORY, disk).open()) {
            for (EntryDraft draft : drafts) {
                recorded.addAll(store.recordAll(List.of(draft)));
            }
        }
        try (XMemStore again = TestStores.builder(DIRECTORY, disk).open()) {
            assertThat(again.stats().malformedLines()).isZero();
            for (int i = 0; i < drafts.size(); i++) {
                Entry found = again.find(recorded.get(i).id()).orElseThrow();
                assertThat(found.json()).doesNotContain("\n").doesNotContain("\r");
                if (!(found instanceof Directive)) {
                    assertThat(found).isEqualTo(recorded.get(i));
                    checkFields(drafts.get(i), found);
                }
            }
            assertThat(again.search(Query.all()).total()).isLessThanOrEqualTo(drafts.size());
        }
    }

    private static void checkFields(EntryDraft draft, Entry found) {
        if (found instanceof Failure failure) {
            assertThat(failure.tool()).isEqualTo(clean(draft, "tool"));
            assertThat(failure.action()).isEqualTo(clean(draft, "action"));
            assertThat(failure.patternAvoid()).isEqualTo(clean(draft, "pattern_avoid"));
            assertThat(failure.notes()).isEqualTo(clean(draft, "notes"));
            assertThat(failure.sessionId()).isEqualTo(clean(draft, "session_id"));
            assertThat(failure.triedAlso()).isEqualTo(cleanList(draft, "tried_also"));
            assertThat(failure.blockLevel()).isEqualTo(draft.fields().get("block_level"));
            assertThat(failure.error().codePointCount(0, failure.error().length()))
                    .isLessThanOrEqualTo(200);
        } else if (found instanceof Success success) {
            assertThat(success.tool()).isEqualTo(clean(draft, "tool"));
            assertThat(success.patternName()).isEqualTo(clean(draft, "pattern_name"));
            assertThat(success.keySteps()).isEqualTo(cleanList(draft, "key_steps"));
            assertThat(success.answers()).isEqualTo(cleanList(draft, "answers"));
            assertThat(success.confidence()).isEqualTo(draft.fields().get("confidence"));
            assertThat(Json.object(success.criticalParams()))
                    .isEqualTo(Json.object((String) draft.fields().get("critical_params")));
        } else if (found instanceof Note note) {
            assertThat(note.type()).isEqualTo(clean(draft, "type"));
            assertThat(note.content()).isEqualTo(clean(draft, "content"));
            assertThat(note.meta()).isEqualTo(draft.fields().get("meta"));
        }
        assertThat(found.tags()).isEqualTo(cleanList(draft, "tags"));
    }

    private static String clean(EntryDraft draft, String field) {
        return clean((String) draft.fields().get(field));
    }

    private static List<String> cleanList(EntryDraft draft, String field) {
        return ((List<?>) draft.fields().get(field))
                .stream().map(item -> clean((String) item)).toList();
    }

    /** Half a character cannot be written; what else redaction takes out is no subject here. */
    private static String clean(String text) {
        return new Redaction(same -> same).clean(text);
    }
}
