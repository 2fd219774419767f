package dev.xmem.core.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class WordSearchTest {
    private static final List<String> WORDS = List.of(
            "git",
            "push",
            "rejected",
            "port",
            "in use",
            "file",
            "not found",
            "docker",
            "daemon",
            "timeout",
            "E0308",
            "a/b.py");

    @Test
    void rank_requestThatNamesTheTool_prefersItsEntries() {
        WordIndex index = new WordIndex();
        add(index, 0, "npm", "connect refused by the registry");
        add(index, 3, "psql", "could not connect, connection refused");
        Ranking found = rank(index, "postgres connection refused");
        assertThat(found.ordinal(0)).isEqualTo(3);
        assertThat(found.matched(0)).containsExactly("postgres", "connection", "refused");
    }

    @Test
    void rank_requestInOtherWords_findsTheCause() {
        WordIndex index = new WordIndex();
        add(index, 0, "git", "fatal: A branch named 'x' already exists.");
        add(index, 1, "git", "fatal: branch 'x' does not exist");
        Ranking found = rank(index, "branch name is taken");
        assertThat(found.ordinal(0)).isEqualTo(0);
    }

    @Test
    void rank_oneCommonWordOfSeveral_findsNothing() {
        WordIndex index = new WordIndex();
        add(index, 0, "docker", "Export of the image layer failed");
        add(index, 1, "aws", "You must specify a region");
        assertThat(rank(index, "photoshop mask export settings").size()).isZero();
        assertThat(rank(index, "the and of").size()).isZero();
        assertThat(rank(index, "").size()).isZero();
        assertThat(rank(new WordIndex(), "docker").size()).isZero();
    }

    @Test
    void rank_withAFilter_keepsTheScores() {
        WordIndex index = new WordIndex();
        for (int i = 0; i < 10; i++) {
            add(index, i, "git", "push rejected " + i);
        }
        Ranking all = rank(index, "push rejected");
        Ranking even = WordSearch.rank(
                List.of(new WordSearch.Slice(index, index.end(), ordinal -> ordinal % 2 == 0)), "push rejected");
        assertThat(even.size()).isEqualTo(5);
        assertThat(even.score(0)).isEqualTo(all.score(0));
    }

    @Test
    void rank_equalScores_newestFirst() {
        WordIndex index = new WordIndex();
        for (int i = 0; i < 5; i++) {
            add(index, i, "git", "push rejected");
        }
        Ranking found = rank(index, "push rejected");
        assertThat(List.of(found.ordinal(0), found.ordinal(1), found.ordinal(4)))
                .containsExactly(4, 3, 0);
    }

    @Test
    void add_descendingOrdinal_isRefused() {
        WordIndex index = new WordIndex();
        add(index, 5, "git", "push");
        assertThatThrownBy(() -> add(index, 5, "git", "pull")).isInstanceOf(IllegalArgumentException.class);
        assertThat(index.end()).isEqualTo(6);
    }

    @Test
    void add_thatThrows_leavesNothing() {
        WordIndex index = new WordIndex();
        add(index, 0, "git", "push rejected");
        assertThatThrownBy(() -> index.add(1, fields -> {
                    fields.text(FieldClass.TEXT, "push rejected");
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        add(index, 1, "npm", "install");
        Ranking found = rank(index, "push rejected");
        assertThat(found.size()).isEqualTo(1);
        assertThat(found.ordinal(0)).isZero();
    }

    @Property(tries = 200)
    void rank_atACutoff_equalsTheIndexAsItWas(
            @ForAll("entries") List<String> entries,
            @ForAll("entries") List<String> later,
            @ForAll("request") String request,
            @ForAll @IntRange(min = 1, max = 3) int step) {
        WordIndex grown = new WordIndex();
        WordIndex small = new WordIndex();
        int next = 0;
        for (String entry : entries) {
            add(grown, next, "git", entry);
            add(small, next, "git", entry);
            next += step;
        }
        int cutoff = small.end();
        for (String entry : later) {
            add(grown, next++, "docker", entry);
        }
        Ranking then = WordSearch.rank(List.of(WordSearch.Slice.of(small)), request);
        Ranking now = WordSearch.rank(List.of(new WordSearch.Slice(grown, cutoff, null)), request);
        assertThat(lines(now)).isEqualTo(lines(then));
    }

    @Property(tries = 200)
    void rank_overSlices_scoresAsOverOne(
            @ForAll("entries") List<String> entries,
            @ForAll("request") String request,
            @ForAll @IntRange(max = 20) int split) {
        WordIndex one = new WordIndex();
        WordIndex first = new WordIndex();
        WordIndex second = new WordIndex();
        for (int i = 0; i < entries.size(); i++) {
            add(one, i, "git", entries.get(i));
            add(i < split ? first : second, i, "git", entries.get(i));
        }
        Ranking whole = WordSearch.rank(List.of(WordSearch.Slice.of(one)), request);
        Ranking parts = WordSearch.rank(List.of(WordSearch.Slice.of(first), WordSearch.Slice.of(second)), request);
        assertThat(lines(parts)).isEqualTo(lines(whole));
    }

    @Property(tries = 200)
    void rank_ofSomeRanks_isTheBeginningOfAll(
            @ForAll("entries") List<String> entries,
            @ForAll("request") String request,
            @ForAll @IntRange(min = 1, max = 20) int most) {
        WordIndex index = new WordIndex();
        for (int i = 0; i < entries.size(); i++) {
            add(index, i, "git", entries.get(i));
        }
        assertBeginningOfAll(index, request, most);
    }

    /** Among so many that most of them are dropped again and again. */
    @Property(tries = 30)
    void rank_ofSomeRanksAmongThousands_isTheBeginningOfAll(
            @ForAll("request") String request, @ForAll @IntRange(min = 1, max = 3_000) int most) {
        WordIndex index = new WordIndex();
        for (int i = 0; i < 6_000; i++) {
            add(index, i, i % 3 == 0 ? "git" : "npm", text(i));
        }
        assertBeginningOfAll(index, request, most);
    }

    private static void assertBeginningOfAll(WordIndex index, String request, int most) {
        List<WordSearch.Slice> slices = List.of(WordSearch.Slice.of(index));
        Ranking all = WordSearch.rank(slices, request);
        Ranking some = WordSearch.rank(slices, request, most);
        assertThat(all.isExact()).isTrue();
        assertThat(all.total()).isEqualTo(all.size());
        assertThat(some.isExact() || all.total() > Found.COUNTED).isTrue();
        assertThat(some.total()).isBetween(some.isExact() ? all.total() : some.size(), all.total());
        assertThat(some.size()).isGreaterThanOrEqualTo(Math.min(most, all.size()));
        assertThat(lines(some)).isEqualTo(lines(all).subList(0, some.size()));
        if (some.size() < all.size()) {
            assertThat(all.score(some.size())).isLessThan(all.score(some.size() - 1));
        }
    }

    /** Slots that are left out at the end of a long index are not left out of an index in which nothing better stands. */
    @Property(tries = 50)
    void rank_whereMostSlotsFindNothingNew_isThatOfEachEntryBesideTheBest(@ForAll("request") String request) {
        WordIndex index = new WordIndex();
        int lines = 6_000;
        for (int i = 0; i < lines; i++) {
            add(index, i, i % 3 == 0 ? "git" : "npm", text(i));
        }
        Ranking all = WordSearch.rank(List.of(WordSearch.Slice.of(index)), request);
        for (int rank = 0; rank < all.size(); rank += 1 + all.size() / 5) {
            int one = all.ordinal(rank);
            int best = all.ordinal(0);
            Ranking both = WordSearch.rank(
                    List.of(new WordSearch.Slice(index, lines, line -> line == one || line == best)), request);
            assertThat(lines(both)).contains(lines(all).get(rank));
        }
        Ranking rest = WordSearch.rank(
                List.of(new WordSearch.Slice(
                        index, lines, line -> !ordinals(all).get(line))),
                request);
        assertThat(all.size() == 0 || rest.size() == 0 || rest.score(0) < 0.6001 * all.score(0))
                .isTrue();
    }

    private static BitSet ordinals(Ranking ranking) {
        BitSet ordinals = new BitSet();
        for (int rank = 0; rank < ranking.size(); rank++) {
            ordinals.set(ranking.ordinal(rank));
        }
        return ordinals;
    }

    /** A reader beside the writer gets, for any cutoff it saw, what a quiet index gives. */
    @Test
    void rank_whileOthersAdd_isThatOfItsCutoff() throws Exception {
        int entries = 20_000;
        WordIndex index = new WordIndex();
        WordIndex quiet = new WordIndex();
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(3);
        List<Future<List<Seen>>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(readers.submit(() -> read(index, done)));
        }
        for (int i = 0; i < entries; i++) {
            add(index, i, WORDS.get(i % 5), text(i));
            add(quiet, i, WORDS.get(i % 5), text(i));
        }
        done.set(true);
        for (Future<List<Seen>> reader : all) {
            for (Seen seen : reader.get()) {
                Ranking expected = WordSearch.rank(
                        List.of(new WordSearch.Slice(quiet, seen.cutoff, null)), "push rejected port E0308 name9");
                assertThat(seen.lines).as("cutoff %d", seen.cutoff).isEqualTo(lines(expected));
            }
        }
        readers.shutdown();
    }

    private record Seen(int cutoff, List<String> lines) {}

    private static List<Seen> read(WordIndex index, AtomicBoolean done) {
        List<Seen> seen = new ArrayList<>();
        while (!done.get() && seen.size() < 200) {
            int cutoff = index.end();
            Ranking found = WordSearch.rank(
                    List.of(new WordSearch.Slice(index, cutoff, null)), "push rejected port E0308 name9");
            seen.add(new Seen(cutoff, lines(found)));
        }
        return seen;
    }

    private static String text(int i) {
        return WORDS.get(i % WORDS.size()) + " " + WORDS.get(i / 7 % WORDS.size()) + " name" + i + " name" + i % 11;
    }

    @Provide
    Arbitrary<List<String>> entries() {
        return Arbitraries.of(WORDS)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(words -> String.join(" ", words))
                .list()
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<String> request() {
        return Arbitraries.of(WORDS).list().ofMinSize(1).ofMaxSize(4).map(words -> String.join(" ", words));
    }

    private static List<String> lines(Ranking ranking) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ranking.size(); i++) {
            lines.add(ranking.ordinal(i) + " " + ranking.score(i) + " " + ranking.matched(i));
        }
        return lines;
    }

    private static Ranking rank(WordIndex index, String request) {
        return WordSearch.rank(List.of(WordSearch.Slice.of(index)), request);
    }

    private static void add(WordIndex index, int ordinal, String tool, String text) {
        index.add(ordinal, fields -> {
            fields.text(FieldClass.TOOL, tool);
            fields.text(FieldClass.TEXT, text);
        });
    }
}
