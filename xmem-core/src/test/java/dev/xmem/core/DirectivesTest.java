package dev.xmem.core;

import static dev.xmem.core.directive.MemoryLines.START;
import static dev.xmem.core.directive.MemoryLines.ranked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.directive.MemoryLines;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's rules: how they are said, how they add up, who wins, and in which order they are shown. */
class DirectivesTest {
    private static final Directive.Triple PUSH = new Directive.Triple("push to main", "is", "forbidden");

    @TempDir
    Path folder;

    private Instant now = START.plus(Duration.ofDays(1));

    private XMem.Builder builder(String store) {
        return XMem.builder(folder.resolve(store)).clock(() -> now);
    }

    private XMemStore open() {
        return builder("store").open();
    }

    private Path memories() {
        return folder.resolve("store/data/memories.ndjson");
    }

    /** Lines such as {@code 1 local rule build|tool|maven}, one after the other. */
    private void write(String... said) {
        List<String> lines = new ArrayList<>();
        for (String line : said) {
            lines.add(MemoryLines.line("m-" + (lines.size() + 1), 1, "", line));
        }
        MemoryLines.append(memories(), lines);
    }

    private static String shown(Directive directive) {
        String strength = directive.strength() == 1 ? "" : " x" + directive.strength();
        return directive.triple().object() + strength + (directive.tags().contains("conflict") ? " conflict" : "");
    }

    @Nested
    class Conflicts {
        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '#',
                value = {
                    "newest wins" + "#1 local rule build|tool|maven; 2 local rule build|tool|gradle" + "#gradle",
                    "newest wins, though it stands first in the file"
                            + "#2 local rule build|tool|gradle; 1 local rule build|tool|maven"
                            + "#gradle",
                    "newer preference beats older rule"
                            + "#1 local rule build|tool|maven; 2 local preference build|tool|gradle"
                            + "#gradle",
                    "newer rule beats older preference"
                            + "#1 local preference build|tool|maven; 2 local rule build|tool|gradle"
                            + "#gradle",
                    "older constraint beats newer rule"
                            + "#1 local constraint build|tool|maven; 2 local rule build|tool|gradle"
                            + "#maven",
                    "older constraint beats newer preference"
                            + "#1 local constraint build|tool|maven; 2 local preference build|tool|gradle"
                            + "#maven",
                    "newer constraint beats older rule"
                            + "#1 local rule build|tool|maven; 2 local constraint build|tool|gradle"
                            + "#gradle",
                    "same time, nothing decides"
                            + "#1 local rule build|tool|maven; 1 local rule build|tool|gradle"
                            + "#gradle conflict, maven conflict",
                    "same time, but one is a constraint"
                            + "#1 local rule build|tool|maven; 1 local constraint build|tool|gradle"
                            + "#gradle",
                    "two constraints, nothing decides"
                            + "#1 local constraint build|tool|maven; 2 local constraint build|tool|gradle"
                            + "#gradle conflict, maven conflict",
                    "three constraints, nothing decides"
                            + "#1 local constraint b|tool|ant; 2 local constraint b|tool|make; 3 local constraint b|tool|sh"
                            + "#sh conflict, make conflict, ant conflict",
                    "of three the newest"
                            + "#1 local rule b|tool|ant; 3 local rule b|tool|make; 2 local rule b|tool|sh"
                            + "#make",
                    "a third, newer one settles the conflict of two"
                            + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 local rule b|tool|sh"
                            + "#sh",
                    "saying one again settles the conflict of two"
                            + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 local rule b|tool|ant"
                            + "#ant x2",
                    "two constraints and a newest rule"
                            + "#1 local constraint b|tool|ant; 2 local constraint b|tool|make; 3 local rule b|tool|sh"
                            + "#make conflict, ant conflict",
                    "saying the loser again makes it the newest"
                            + "#1 local rule b|tool|ant; 2 local rule b|tool|make; 3 local rule b|tool|ant"
                            + "#ant x2",
                    "local beats newer global" + "#1 local rule b|tool|ant; 2 global rule b|tool|make" + "#ant",
                    "local beats a global constraint"
                            + "#1 local preference b|tool|ant; 2 global constraint b|tool|make"
                            + "#ant",
                    "local beats global of the same time, without a conflict"
                            + "#1 global rule b|tool|make; 1 local rule b|tool|ant"
                            + "#ant",
                    "local and global say the same: shown once"
                            + "#1 global rule b|tool|make; 2 local rule b|tool|make"
                            + "#make",
                    "two local ones conflict, the global one stays out of it"
                            + "#1 local rule b|tool|ant; 1 local rule b|tool|make; 2 global rule b|tool|sh"
                            + "#ant conflict, make conflict",
                    "two global ones, the newest wins"
                            + "#1 global rule b|tool|ant; 2 global rule b|tool|make"
                            + "#make",
                    "another subject is no conflict"
                            + "#1 local rule build|tool|maven; 2 local rule test|tool|gradle"
                            + "#gradle, maven",
                    "another predicate is no conflict"
                            + "#1 local rule build|tool|maven; 2 local rule build|speed|slow"
                            + "#slow, maven",
                    "the object in another case is no conflict"
                            + "#1 local rule build|tool|maven; 1 local rule build|tool|Maven"
                            + "#Maven x2",
                    "subject and predicate in another case are the same matter"
                            + "#1 local rule build|tool|maven; 2 local rule BUILD|Tool|gradle"
                            + "#gradle",
                    "white space makes no difference"
                            + "#1 local rule the build|tool|maven; 2 local rule the   build|tool|gradle"
                            + "#gradle",
                })
        void search_directives_showsWhoHolds(String name, String lines, String expected) {
            write(lines.split(";"));
            try (XMemStore store = open()) {
                assertThat(ranked(store, "").stream().map(DirectivesTest::shown))
                        .as(name)
                        .containsExactlyInAnyOrder(expected.split(", "));
                assertThat(store.stats().directives()).isEqualTo(expected.split(", ").length);
            }
        }

        @Test
        void find_theBeatenOne_isStillThere() {
            write("1 local rule build|tool|maven", "2 local rule build|tool|gradle");
            try (XMemStore store = open()) {
                assertThat(store.find("m-1").orElseThrow()).isInstanceOf(Directive.class);
                assertThat(store.search(Query.words("maven")).matches()).isEmpty();
                assertThat(store.search(Query.words("gradle")).matches()).hasSize(1);
            }
        }

        @Test
        void remember_theOpposite_isWhatHolds() {
            try (XMemStore store = open()) {
                store.remember(Directive.parse("always use pnpm"));
                now = now.plusSeconds(1);
                store.remember(Directive.parse("never use pnpm because it is slow"));
                assertThat(ranked(store, "").stream().map(Directive::canonical))
                        .containsExactly("Never use pnpm because it is slow");
            }
        }

        @Test
        void remember_theOppositeInTheSameMillisecond_isMarkedInTheAnswer() {
            try (XMemStore store = open()) {
                store.remember(Directive.parse("always use pnpm"));
                assertThat(store.remember(Directive.parse("never use pnpm")).tags())
                        .containsExactly("conflict");
                assertThat(ranked(store, "")).hasSize(2).allMatch(d -> d.tags().contains("conflict"));
            }
        }

        @Test
        void remember_conflictSettledLater_noLineHasTheTag() throws IOException {
            try (XMemStore store = open()) {
                store.remember(Directive.parse("always use pnpm"));
                store.remember(Directive.parse("never use pnpm"));
                now = now.plusSeconds(1);
                assertThat(store.remember(Directive.parse("never use pnpm")).tags())
                        .isEmpty();
            }
            assertThat(Files.readString(memories())).doesNotContain("conflict");
        }
    }

    @Nested
    class Reinforcement {
        @Test
        void remember_again_isOneMoreLineWithTheSameId() {
            try (XMemStore store = open()) {
                Directive first = store.remember(Directive.rule(PUSH).tags("git"));
                now = now.plusSeconds(5);
                Directive second = store.remember(Directive.rule(PUSH).tags("main"));
                assertThat(first.strength()).isEqualTo(1);
                assertThat(second.id()).isEqualTo(first.id());
                assertThat(second.strength()).isEqualTo(2);
                assertThat(second.ts()).isEqualTo(now);
                assertThat(second.tags()).containsExactly("git", "main");
                assertThat(store.stats().directives()).isEqualTo(1);
            }
            assertThat(Json.lines(memories())).hasSize(2).last().satisfies(line -> {
                assertThat(line.get("strength")).hasToString("2");
                assertThat(line).containsEntry("dedupe_key", "push to main|is|forbidden");
            });
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                value = {
                    "PUSH to Main#Is#FORBIDDEN",
                    "'  push   to\tmain '#is#forbidden",
                    "push to main#is# forbidden\n"
                })
        void remember_otherCaseOrWhiteSpace_reinforces(String subject, String predicate, String object) {
            try (XMemStore store = open()) {
                store.remember(Directive.rule(PUSH));
                Directive again = store.remember(Directive.rule(new Directive.Triple(subject, predicate, object)));
                assertThat(again.strength()).isEqualTo(2);
                assertThat(again.dedupeKey()).isEqualTo("push to main|is|forbidden");
            }
        }

        @Test
        void remember_inTheOtherScope_isAnotherOne() {
            try (XMemStore store = open()) {
                Directive local = store.remember(Directive.rule(PUSH));
                Directive global = store.remember(Directive.rule(PUSH).global());
                assertThat(global.strength()).isEqualTo(1);
                assertThat(global.id()).isNotEqualTo(local.id());
                assertThat(global.scope()).isEqualTo(Directive.Scope.GLOBAL);
            }
        }

        @Test
        void remember_againInPlainForm_keepsTheSentence() {
            try (XMemStore store = open()) {
                store.remember(Directive.rule(PUSH).canonical("Never push to main"));
                assertThat(store.remember(Directive.rule(PUSH)).canonical()).isEqualTo("Never push to main");
                assertThat(store.remember(Directive.rule(PUSH).canonical("No pushing!"))
                                .canonical())
                        .isEqualTo("No pushing!");
            }
        }

        @Test
        void remember_manyTimesInOneMillisecondInOtherWords_countsEachOnce() {
            try (XMemStore store = open()) {
                int said = 0;
                for (String sentence : List.of("z", "m", "a", "y", "b", "x", "c", "w", "d", "v", "e", "u")) {
                    Directive directive = store.remember(Directive.rule(PUSH).canonical(sentence));
                    assertThat(directive.strength()).isEqualTo(++said);
                    assertThat(directive.canonical()).isEqualTo(sentence);
                }
            }
            try (XMemStore store = open()) {
                assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                    assertThat(directive.strength()).isEqualTo(12);
                    assertThat(directive.canonical()).isEqualTo("u");
                });
            }
        }

        @Test
        void recordAll_twiceInOneBatch_isOneThatWasSaidTwice() {
            try (XMemStore store = open()) {
                List<Entry> recorded = store.recordAll(List.of(
                        Directive.rule(PUSH).tags("git").canonical("Never push to main"),
                        Directive.rule(PUSH).tags("main")));
                assertThat(recorded)
                        .extracting(Entry::id)
                        .containsOnly(recorded.get(0).id());
                assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                    assertThat(directive.strength()).isEqualTo(2);
                    assertThat(directive.canonical()).isEqualTo("Never push to main");
                    assertThat(directive.tags()).containsExactly("git", "main");
                });
                Query directives = Query.all().kind(Entry.Kind.DIRECTIVE);
                assertThat(store.search(directives.tag("git")).matches()).hasSize(1);
                assertThat(store.search(directives.tag("main")).matches()).hasSize(1);
            }
        }

        @Test
        void recordAll_aStoredLineAsItStands_isAcknowledgedAndStoredOnce() throws IOException {
            try (XMemStore store = open()) {
                Directive first = store.remember(Directive.rule(PUSH));
                String line = Files.readString(memories()).strip();
                Entry again = store.recordAll(List.of(JsonDraft.of(line))).get(0);
                assertThat(again.id()).isEqualTo(first.id());
                assertThat(ranked(store, "")).extracting(Directive::strength).containsExactly(1);
            }
            assertThat(Files.readAllLines(memories())).hasSize(1);
        }

        @Test
        void remember_secondStoreOnTheSameFolder_seesTheFirst() {
            try (XMemStore one = open();
                    XMemStore other = open()) {
                one.remember(Directive.rule(PUSH));
                assertThat(other.remember(Directive.rule(PUSH)).strength()).isEqualTo(2);
                assertThat(one.remember(Directive.rule(PUSH)).strength()).isEqualTo(3);
            }
        }

        @Test
        void remember_fromTwoProcesses_losesNone() throws Exception {
            twoProcesses(folder.resolve("store"), folder.resolve("store"), null);
            try (XMemStore store = open()) {
                assertThat(ranked(store, ""))
                        .extracting(Directive::strength)
                        .containsExactly(1 + 2 * Remembering.TIMES);
            }
            assertThat(Json.lines(memories()))
                    .hasSize(1 + 2 * Remembering.TIMES)
                    .extracting(line -> line.get("id"))
                    .containsOnly("2026-02-15-001");
        }
    }

    /** Starts two processes that reinforce one directive, and lets them go at the same time. */
    private void twoProcesses(Path first, Path second, Path global) throws Exception {
        XMem.Builder builder = XMem.builder(first).clock(InstantSource.fixed(now));
        try (XMemStore store = (global == null ? builder : builder.globalDirectives(global)).open()) {
            store.remember(
                    global == null ? Directive.rule(PUSH) : Directive.rule(PUSH).global());
        }
        String file = global == null ? "" : global.toString();
        try (Jvm one = Jvm.start(folder, List.of(), Remembering.class, first, folder.resolve("go"), "one", file);
                Jvm other =
                        Jvm.start(folder, List.of(), Remembering.class, second, folder.resolve("go"), "other", file)) {
            one.makes(folder.resolve("ready-one"));
            other.makes(folder.resolve("ready-other"));
            Files.createFile(folder.resolve("go"));
            one.succeeds();
            other.succeeds();
        }
    }

    /** Another process: says a directive again and again. */
    static final class Remembering {
        static final int TIMES = 100;

        private Remembering() {}

        public static void main(String[] arguments) throws IOException {
            XMem.Builder builder =
                    XMem.builder(Path.of(arguments[0])).clock(InstantSource.fixed(START.plus(Duration.ofDays(1))));
            boolean global = !arguments[3].isEmpty();
            try (XMemStore store = (global ? builder.globalDirectives(Path.of(arguments[3])) : builder).open()) {
                Files.createFile(Path.of(arguments[1]).resolveSibling("ready-" + arguments[2]));
                Jvm.await(Path.of(arguments[1]));
                for (int i = 0; i < TIMES; i++) {
                    say(store, global ? Directive.rule(PUSH).global() : Directive.rule(PUSH));
                }
            }
        }
    }

    /** Says a directive, as often as it takes to get the lock. */
    private static void say(XMemStore store, Directive.Draft draft) {
        while (true) {
            try {
                store.remember(draft);
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    @Nested
    class Ranking {
        private List<String> shownFor(XMemStore store, String request) {
            return ranked(store, request).stream()
                    .map(directive -> directive.triple().object())
                    .toList();
        }

        private void five() {
            MemoryLines.append(
                    memories(),
                    List.of(
                            MemoryLines.line("m-1", 1, "'Maven'", "1 local preference a|is|tagged"),
                            MemoryLines.line("m-2", 1, "", "2 local constraint b|is|constraint"),
                            MemoryLines.line("m-3", 3, "", "3 local rule c|is|strong"),
                            MemoryLines.line("m-4", 1, "", "5 local rule d|is|recent"),
                            MemoryLines.line("m-5", 1, "", "4 local rule e|is|older"),
                            MemoryLines.line("m-6", 9, "'git'", "9 global preference f|is|preferred")));
        }

        @Test
        void search_withoutRequest_isByKindStrengthAndRecency() {
            five();
            try (XMemStore store = open()) {
                assertThat(shownFor(store, ""))
                        .containsExactly("constraint", "strong", "recent", "older", "preferred", "tagged");
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"maven", "run MAVEN now", "Build it with maven.", "maven, please", "(maven)", "why maven?"})
        void search_aTagIsNamed_comesFirstAndHidesNothing(String request) {
            five();
            try (XMemStore store = open()) {
                assertThat(shownFor(store, request))
                        .containsExactly("tagged", "constraint", "strong", "recent", "older", "preferred");
            }
        }

        @Test
        void search_partOfAWord_isNoTag() {
            five();
            try (XMemStore store = open()) {
                assertThat(shownFor(store, "mavens legitimate")).first().isEqualTo("constraint");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {3, 5, 7})
        void search_limit_isTheFirstOfTheRanking(int limit) {
            for (int i = 0; i < 12; i++) {
                MemoryLines.append(
                        memories(),
                        List.of(MemoryLines.line("m-" + i, i + 1, "", i + " local rule s" + i + "|is|o" + i)));
            }
            try (XMemStore store = open()) {
                Page page = store.search(Query.all().kind(Entry.Kind.DIRECTIVE).limit(limit));
                assertThat(page.matches()).hasSize(limit);
                assertThat(page.total()).isEqualTo(12);
                assertThat(page.matches().get(0).entry().id()).isEqualTo("m-11");
                assertThat(page.matches().get(limit - 1).entry().id()).isEqualTo("m-" + (12 - limit));
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {100, 150, 200, 400})
        void search_tokenBudget_isKeptAndTheBestComeFirst(int budget) {
            for (int i = 0; i < 12; i++) {
                String said = i + " local rule subject number " + i + "|is|" + "a very long object ".repeat(8) + i;
                MemoryLines.append(memories(), List.of(MemoryLines.line("m-" + i, i + 1, "", said)));
            }
            try (XMemStore store = open()) {
                Page page = store.search(
                        Query.all().kind(Entry.Kind.DIRECTIVE).limit(7).tokenBudget(budget));
                assertThat(TokenEstimator.heuristic().estimate(page.text())).isLessThanOrEqualTo(budget);
                assertThat(page.matches())
                        .isNotEmpty()
                        .first()
                        .satisfies(match -> assertThat(match.entry().id()).isEqualTo("m-11"));
            }
        }

        @Test
        void search_directivesAmongOthers_areFoundByTheirWords() {
            five();
            try (XMemStore store = open()) {
                assertThat(store.search(Query.words("recent")).matches()).hasSize(1);
                assertThat(store.search(Query.literal("b is constraint")).matches())
                        .hasSize(1);
            }
        }
    }

    @Nested
    class Refusals {
        @Test
        void remember_sentenceOf240Characters_isKept() {
            try (XMemStore store = XMem.inMemory()) {
                String most = "x".repeat(238) + "👍👍";
                assertThat(store.remember(Directive.rule(PUSH).canonical(most)).canonical())
                        .isEqualTo(most);
                String folded = "a" + " ".repeat(300) + "b";
                assertThat(store.remember(Directive.rule(PUSH).canonical(folded))
                                .canonical())
                        .isEqualTo("a b");
            }
        }

        @Test
        void remember_sentenceOf241Characters_isRefused() {
            Directive.Triple tooLong = new Directive.Triple("x".repeat(240), "is", "y");
            try (XMemStore store = XMem.inMemory()) {
                for (Directive.Draft draft :
                        List.of(Directive.rule(PUSH).canonical("x".repeat(239) + "👍👍"), Directive.rule(tooLong))) {
                    assertThatThrownBy(() -> store.remember(draft))
                            .isInstanceOfSatisfying(XMemException.Limit.class, e -> {
                                assertThat(e.limit()).isEqualTo(240);
                                assertThat(e.name()).contains("canonical");
                            });
                }
                assertThat(store.stats().directives()).isZero();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "today",
                    "Tonight",
                    "tomorrow",
                    "yesterday",
                    "right now",
                    "for now",
                    "at the moment",
                    "this time",
                    "this session",
                    "THIS CONVERSATION",
                    "this task",
                    "this run",
                    "this morning",
                    "this week",
                    "just now"
                })
        void remember_whatIsOverSoon_isRefusedWithTheReason(String word) {
            try (XMemStore store = XMem.inMemory()) {
                for (Directive.Draft draft : List.of(
                        Directive.parse("never deploy " + word),
                        Directive.rule(PUSH).canonical("Skip the tests " + word + ", please"),
                        Directive.rule(new Directive.Triple("tests " + word, "are", "skipped"))
                                .canonical("Skip them"))) {
                    assertThatThrownBy(() -> store.remember(draft))
                            .isInstanceOfSatisfying(
                                    XMemException.Invalid.class,
                                    e -> assertThat(e.field()).isEqualTo("canonical"))
                            .hasMessageContaining("over soon")
                            .hasMessageContaining(word);
                }
                assertThat(store.stats().directives()).isZero();
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"nowadays", "todo lists", "session tokens in urls", "runs this way", "weekly deploys"})
        void remember_whatOnlyLooksLikeIt_isKept(String matter) {
            try (XMemStore store = XMem.inMemory()) {
                assertThat(store.remember(Directive.parse("never allow " + matter))
                                .strength())
                        .isEqualTo(1);
            }
        }

        @ParameterizedTest
        @CsvSource({"'',is,x,triple.subject", "a,' ',x,triple.predicate", "a,is,'\t',triple.object"})
        void remember_emptyPart_isRefusedByName(String subject, String predicate, String object, String field) {
            try (XMemStore store = XMem.inMemory()) {
                assertThatThrownBy(
                                () -> store.remember(Directive.rule(new Directive.Triple(subject, predicate, object))))
                        .isInstanceOfSatisfying(
                                XMemException.Invalid.class,
                                e -> assertThat(e.field()).isEqualTo(field));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{'kind':'law','triple':{'subject':'a','predicate':'b','object':'c'}}",
                    "{'triple':{'subject':'a','predicate':'b','object':'c'}}",
                    "{'kind':'rule','scope':'universe','triple':{'subject':'a','predicate':'b','object':'c'}}",
                    "{'kind':'rule','triple':{'subject':'a','predicate':'b'}}",
                    "{'kind':'rule','triple':'a b c'}",
                    "{'kind':'rule','dedupe_key':'a|b|c'}",
                })
        void recordAll_brokenLine_isRefused(String line) {
            try (XMemStore store = XMem.inMemory()) {
                assertThatThrownBy(() -> store.recordAll(List.of(JsonDraft.of(line.replace('\'', '"')))))
                        .isInstanceOf(XMemException.Invalid.class);
                assertThat(store.stats().directives()).isZero();
            }
        }
    }

    @Test
    void confirmation_isOneLineWithScopeAndSentence() {
        try (XMemStore store = XMem.inMemory()) {
            assertThat(store.remember(Directive.parse(
                                    "add to memory that never run build repeatedly because it is heavy"))
                            .confirmation())
                    .isEqualTo("Remembered (local): Never run build repeatedly because it is heavy");
            assertThat(store.remember(Directive.parse("global: add to memory that I prefer pnpm"))
                            .confirmation())
                    .isEqualTo("Remembered (global): Prefer pnpm");
            assertThat(store.remember(Directive.rule(PUSH).canonical(" one\n\ttwo\r\nthree "))
                            .confirmation())
                    .isEqualTo("Remembered (local): one two three");
        }
    }

    @Nested
    class HandWritten {
        private static final String LINE = """
                {"id":"mem-7f3a","ts":"2026-01-05T08:00:00Z","scope":"local","kind":"rule",\
                "triple":{"subject":"build","predicate":"run","object":"once"},\
                "canonical":"Run the build once","strength":2,"source":"user_direct","tags":["build"],\
                "dedupe_key":"build|run|once"}""";

        @Test
        void open_theSeedsFile_isReadAndReinforced() throws IOException {
            Path file = folder.resolve("docs/memory/memories.ndjson");
            Files.createDirectories(file.getParent());
            Files.writeString(file, LINE);
            try (XMemStore store =
                    builder("store").log(Entry.Kind.DIRECTIVE, file).open()) {
                assertThat(ranked(store, "")).hasSize(1).first().satisfies(directive -> {
                    assertThat(directive.id()).isEqualTo("mem-7f3a");
                    assertThat(directive.strength()).isEqualTo(2);
                });
                Directive again = store.remember(Directive.rule(new Directive.Triple("Build", "run", "once"))
                        .tags("ci"));
                assertThat(again.id()).isEqualTo("mem-7f3a");
                assertThat(again.strength()).isEqualTo(3);
                assertThat(again.canonical()).isEqualTo("Run the build once");
                assertThat(again.tags()).containsExactly("build", "ci");
            }
            assertThat(Files.readString(file)).startsWith(LINE + "\n").endsWith("}\n");
            assertThat(Json.lines(file))
                    .hasSize(2)
                    .last()
                    .satisfies(line -> assertThat(line.get("strength")).hasToString("3"));
        }

        @Test
        void open_linesOfLess_areStillDirectives() {
            MemoryLines.append(
                    memories(),
                    List.of(
                            "{\"id\":\"a\",\"ts\":\"yesterday\",\"dedupe_key\":\"x|y|z\",\"canonical\":\"no triple\"}",
                            "{\"triple\":{\"subject\":\"p\",\"predicate\":\"q\",\"object\":\"r\"},\"strength\":\"4\"}",
                            "{\"triple\":5,\"dedupe_key\":\"k\",\"kind\":\"RULE\",\"tags\":null,\"strength\":-3}",
                            "not json"));
            try (XMemStore store = open()) {
                assertThat(ranked(store, "")).hasSize(3).allMatch(directive -> directive.strength() >= 1);
                assertThat(store.stats().malformedLines()).isEqualTo(1);
            }
        }
    }

    @Nested
    class GlobalFile {
        private Path global() {
            return folder.resolve("home/memory/memories.ndjson");
        }

        private XMemStore open(String store) {
            return builder(store).globalDirectives(global()).open();
        }

        @Test
        void remember_global_isInTheFileAndItsLockBesideIt() {
            try (XMemStore store = open("one")) {
                store.remember(Directive.rule(PUSH).global());
                store.remember(Directive.parse("always sign commits"));
                assertThat(ranked(store, "")).hasSize(2);
            }
            assertThat(Json.lines(global()))
                    .hasSize(1)
                    .first()
                    .satisfies(line -> assertThat(line).containsEntry("scope", "global"));
            assertThat(global().resolveSibling("memories.ndjson.lock")).exists();
            assertThat(Json.lines(folder.resolve("one/data/memories.ndjson"))).hasSize(1);
        }

        @Test
        void remember_global_isSeenAndReinforcedByAnotherStore() {
            try (XMemStore one = open("one");
                    XMemStore other = open("other")) {
                Directive first = one.remember(Directive.rule(PUSH).global());
                assertThat(ranked(other, "")).extracting(Directive::id).containsExactly(first.id());
                Directive second = other.remember(Directive.rule(PUSH).global());
                assertThat(second.id()).isEqualTo(first.id());
                assertThat(second.strength()).isEqualTo(2);
                assertThat(ranked(one, "")).extracting(Directive::strength).containsExactly(2);
            }
        }

        @Test
        void search_localAgainstTheGlobalFile_localWinsInItsStoreOnly() {
            try (XMemStore one = open("one");
                    XMemStore other = open("other")) {
                one.remember(Directive.parse("always use pnpm"));
                now = now.plusSeconds(1);
                other.remember(Directive.parse("global: never use pnpm"));
                assertThat(ranked(one, "")).extracting(Directive::canonical).containsExactly("Always use pnpm");
                assertThat(ranked(other, "")).extracting(Directive::canonical).containsExactly("Never use pnpm");
            }
        }

        @Test
        void remember_twoStoresInTwoThreads_loseNone() throws Exception {
            int times = 60;
            try (XMemStore one = open("one");
                    XMemStore other = open("other")) {
                one.remember(Directive.rule(PUSH).global());
                ExecutorService threads = Executors.newFixedThreadPool(2);
                try {
                    List<Callable<Integer>> work = new ArrayList<>();
                    for (XMemStore store : List.of(one, other)) {
                        work.add(() -> {
                            for (int i = 0; i < times; i++) {
                                say(store, Directive.rule(PUSH).global());
                            }
                            return times;
                        });
                    }
                    for (Future<Integer> done : threads.invokeAll(work)) {
                        assertThat(done.get()).isEqualTo(times);
                    }
                } finally {
                    threads.shutdown();
                }
                assertThat(ranked(one, "")).extracting(Directive::strength).containsExactly(1 + 2 * times);
                assertThat(ranked(other, "")).extracting(Directive::strength).containsExactly(1 + 2 * times);
            }
            assertThat(Json.lines(global()))
                    .hasSize(1 + 2 * times)
                    .last()
                    .satisfies(line -> assertThat(line.get("strength")).hasToString(Integer.toString(1 + 2 * times)));
        }

        @Test
        void remember_twoStoresInTwoProcesses_loseNone() throws Exception {
            twoProcesses(folder.resolve("one"), folder.resolve("other"), global());
            try (XMemStore store = open("third")) {
                assertThat(ranked(store, ""))
                        .extracting(Directive::strength)
                        .containsExactly(1 + 2 * Remembering.TIMES);
            }
            assertThat(Json.lines(global()))
                    .hasSize(1 + 2 * Remembering.TIMES)
                    .last()
                    .satisfies(line ->
                            assertThat(line.get("strength")).hasToString(Integer.toString(1 + 2 * Remembering.TIMES)));
        }
    }
}
