package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.text.analysis.Lexicon;
import dev.xmem.core.text.analysis.RankingParameters;
import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextSearchTest {
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
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "npm", "connect refused by the registry");
        add(index, 3, "psql", "could not connect, connection refused");
        TopHits found = rank(index, "postgres connection refused");
        assertThat(found.hits().get(0).ordinal()).isEqualTo(3);
        assertThat(found.matched(found.hits().get(0))).containsExactly("postgres", "connection", "refused");
    }

    /** Agents run programs in a shell: the tool is the shell, and the context hash begins with the program. */
    @ParameterizedTest
    @CsvSource({
        "docker connection refused, docker-run-connection-refused",
        "psql connection refused, psql-query-connection-refused",
        "apt-get connection refused, apt-get-install-connection-refused"
    })
    void rank_requestThatNamesTheProgramOfAHash_prefersItsEntries(String request, String hash) {
        MemoryTextIndex index = new MemoryTextIndex();
        String text = "could not connect, connection refused";
        add(index, 0, "Bash", text, "curl-get-connection-refused");
        add(index, 1, "Bash", text, hash);
        add(index, 2, "Bash", text, "npm-install-connection-refused");
        List<TopHits.ScoredHit> hits = rank(index, request).hits();
        assertThat(hits.get(0).ordinal()).isEqualTo(1);
        assertThat(hits)
                .filteredOn(hit -> hit.score() > 0.8 * hits.get(0).score())
                .hasSize(1); // the others are of other programs
    }

    /** Only the first word and the first two as one name: the operation is no tool. */
    @Test
    void add_hash_itsProgramIsATool() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "Bash", "x7", "apt-get-install-not-found");
        assertThat(index.find("@apt-get")).isNotNull();
        assertThat(index.find("@apt")).isNotNull();
        assertThat(index.find("@get")).isNull();
        assertThat(index.find("@install")).isNull();
    }

    /** All entries have the same error, and none has a word of a request's first half. */
    @ParameterizedTest
    @CsvSource({
        "disk usage of a missing file, du",
        "raw disk copy of a missing file, dd",
        "comparing two sorted lists and one is missing, comm",
        "new key pair in a missing folder, ssh-keygen",
        "eject a missing disk, umount",
        "terminal multiplexer with a missing file, tmux",
        "merge lines side by side from a missing file, paste",
        "python unit test in a missing file, pytest",
        "inspect certificate that is missing, openssl"
    })
    void rank_requestThatDescribesTheProgram_prefersItsEntries(String request, String program) {
        MemoryTextIndex index = new MemoryTextIndex();
        List<String> programs =
                List.of("du", "dd", "comm", "ssh-keygen", "umount", "tmux", "paste", "pytest", "openssl", "less", "ls");
        for (int i = 0; i < programs.size(); i++) {
            add(index, i, programs.get(i), "x7: No such file or directory");
        }
        TopHits found = rank(index, request);
        assertThat(programs.get(found.hits().get(0).ordinal())).isEqualTo(program);
    }

    /** A program's purpose is evidence of the program's name alone: the word itself in other entries stays one. */
    @Test
    void rank_requestThatDescribesAProgram_doesNotMatchItsNameInTexts() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "deploy", "the date is in the past");
        add(index, 1, "date", "invalid input");
        TopHits found = rank(index, "current time");
        assertThat(found.hits()).extracting(TopHits.ScoredHit::ordinal).containsExactly(1);
    }

    @Test
    void purposes_allLeadToTheirPrograms() {
        List<String> astray = new ArrayList<>();
        for (String line : RuleFile.lines(Lexicon.class, "purposes.txt")) {
            String[] sides = line.split(":", -1);
            for (String purpose : sides[1].split(",")) {
                Set<String> terms = ParsedQuery.clauses(purpose.replace("*", "of")).stream()
                        .flatMap(clause -> clause.terms().keySet().stream())
                        .collect(Collectors.toSet());
                for (String program : sides[0].split(",")) {
                    String name = program.strip();
                    boolean quoted = name.startsWith("\"");
                    MemoryTextIndex index = new MemoryTextIndex();
                    add(index, 0, quoted ? "other" : name, quoted ? name : "");
                    if (terms.stream().allMatch(term -> term.startsWith("@") == quoted || index.find(term) == null)) {
                        astray.add(program + ":" + purpose);
                    }
                }
            }
        }
        assertThat(astray).isEmpty();
    }

    @Test
    void rank_requestInOtherWords_findsTheCause() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "git", "fatal: A branch named 'x' already exists.");
        add(index, 1, "git", "fatal: branch 'x' does not exist");
        TopHits found = rank(index, "branch name is taken");
        assertThat(found.hits().get(0).ordinal()).isEqualTo(0);
    }

    @Test
    void rank_oneCommonWordOfSeveral_findsNothing() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "docker", "Export of the image layer failed");
        add(index, 1, "aws", "You must specify a region");
        assertThat(rank(index, "photoshop mask export settings").hits().size()).isZero();
        assertThat(rank(index, "the and of").hits().size()).isZero();
        assertThat(rank(index, "").hits().size()).isZero();
        assertThat(rank(new MemoryTextIndex(), "docker").hits().size()).isZero();
    }

    @Test
    void rank_stopWordsOnly_findNothingInStoresOfAnySize() {
        for (int entries : new int[] {1, 46, 1_000, 50_000}) {
            MemoryTextIndex index = new MemoryTextIndex();
            for (int i = 0; i < entries; i++) {
                add(index, i, "tool" + i % 7, "it is the one that could not do what we did before " + i);
            }
            for (String request : List.of("what is it", "the and of", "how could we do that", "so what about us")) {
                for (boolean deep : new boolean[] {false, true}) {
                    TopHits found = TextSearch.rank(List.of(slice(index)), request, 10, deep, null);
                    assertThat(found.hits()).as("%s in %d", request, entries).isEmpty();
                }
            }
            TopHits vague =
                    TextSearch.rank(List.of(slice(index)), "and which one of these was it then", 10, false, null);
            assertThat(vague.hits()).as("vague in %d", entries).isEmpty();
            assertThat(rank(index, "one").hits()).isNotEmpty();
        }
    }

    @Test
    void rank_deep_addsEntriesBelowTheBestAndKeepsTheirScores() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "docker", "Export of the image layer failed");
        add(index, 1, "git", "push rejected by the remote");
        add(index, 2, "git", "mask of the layer");
        String request = "photoshop mask export settings";
        assertThat(rank(index, request).hits()).isEmpty();
        TopHits deep = TextSearch.rank(List.of(slice(index)), request, Integer.MAX_VALUE, true, null);
        assertThat(deep.hits()).extracting(TopHits.ScoredHit::ordinal).containsExactlyInAnyOrder(0, 2);
        TopHits floored = rank(index, "push rejected");
        TopHits all = TextSearch.rank(List.of(slice(index)), "push rejected", Integer.MAX_VALUE, true, null);
        assertThat(lines(all)).startsWith(lines(floored).toArray(String[]::new));
    }

    @Test
    void rank_withAFilter_keepsTheScores() {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < 10; i++) {
            add(index, i, "git", "push rejected " + i);
        }
        TopHits all = rank(index, "push rejected");
        TopHits even =
                TextSearch.rank(List.of(slice(index, index.end(), ordinal -> ordinal % 2 == 0)), "push rejected");
        assertThat(even.hits().size()).isEqualTo(5);
        assertThat(even.hits().get(0).score()).isEqualTo(all.hits().get(0).score());
    }

    @Test
    void rank_equalScores_newestFirst() {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < 5; i++) {
            add(index, i, "git", "push rejected");
        }
        TopHits found = rank(index, "push rejected");
        assertThat(List.of(
                        found.hits().get(0).ordinal(),
                        found.hits().get(1).ordinal(),
                        found.hits().get(4).ordinal()))
                .containsExactly(4, 3, 0);
    }

    @Test
    void add_descendingOrdinal_isRefused() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 5, "git", "push");
        assertThatThrownBy(() -> add(index, 5, "git", "pull")).isInstanceOf(IllegalArgumentException.class);
        assertThat(index.end()).isEqualTo(6);
    }

    @Test
    void add_thatThrows_leavesNothing() {
        MemoryTextIndex index = new MemoryTextIndex();
        add(index, 0, "git", "push rejected");
        assertThatThrownBy(() -> index.add(1, fields -> {
                    fields.text(FieldBoost.TEXT, "push rejected");
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        add(index, 1, "npm", "install");
        TopHits found = rank(index, "push rejected");
        assertThat(found.hits().size()).isEqualTo(1);
        assertThat(found.hits().get(0).ordinal()).isZero();
    }

    @Property(tries = 200)
    void rank_atACutoff_equalsTheIndexAsItWas(
            @ForAll("entries") List<String> entries,
            @ForAll("entries") List<String> later,
            @ForAll("request") String request,
            @ForAll @IntRange(min = 1, max = 3) int step) {
        MemoryTextIndex grown = new MemoryTextIndex();
        MemoryTextIndex small = new MemoryTextIndex();
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
        TopHits then = TextSearch.rank(List.of(slice(small)), request);
        TopHits now = TextSearch.rank(List.of(slice(grown, cutoff, null)), request);
        assertThat(lines(now)).isEqualTo(lines(then));
    }

    @Property(tries = 200)
    void rank_overSlices_scoresAsOverOne(
            @ForAll("entries") List<String> entries,
            @ForAll("request") String request,
            @ForAll @IntRange(max = 20) int split) {
        MemoryTextIndex one = new MemoryTextIndex();
        MemoryTextIndex first = new MemoryTextIndex();
        MemoryTextIndex second = new MemoryTextIndex();
        for (int i = 0; i < entries.size(); i++) {
            add(one, i, "git", entries.get(i));
            add(i < split ? first : second, i, "git", entries.get(i));
        }
        TopHits whole = TextSearch.rank(List.of(slice(one)), request);
        TopHits parts = TextSearch.rank(List.of(slice(first), slice(second)), request);
        assertThat(lines(parts)).isEqualTo(lines(whole));
    }

    @Property(tries = 200)
    void rank_ofTheBest_isTheBeginningOfAll(
            @ForAll("entries") List<String> entries,
            @ForAll("request") String request,
            @ForAll @IntRange(min = 1, max = 20) int most) {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < entries.size(); i++) {
            add(index, i, "git", entries.get(i));
        }
        assertBeginningOfAll(index, request, most);
    }

    /** Among thousands of hits, so that the collector prunes repeatedly. */
    @Property(tries = 30)
    void rank_ofTheBestAmongThousands_isTheBeginningOfAll(
            @ForAll("request") String request, @ForAll @IntRange(min = 1, max = 3_000) int most) {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < 6_000; i++) {
            add(index, i, i % 3 == 0 ? "git" : "npm", text(i));
        }
        assertBeginningOfAll(index, request, most);
    }

    /** A page asks for one hit more than it shows: a total that is a lower bound says that there is another page. */
    @Test
    void rank_ofTheBest_countsAllInFewEntries_andOneBehindThePageInMore() {
        MemoryTextIndex index = new MemoryTextIndex();
        for (int i = 0; i < TextSearch.FEW_ENTRIES; i++) {
            String rare = i < TextSearch.FEW_ENTRIES / 2 ? "walrus" : "walrus badger";
            add(index, i, "git", i % 10 == 0 ? rare : "marmot");
        }
        TopHits few = TextSearch.rank(List.of(slice(index)), "walrus", 21, false, null);
        assertThat(few.total()).isEqualTo(500);
        assertThat(few.isExact()).isTrue();
        add(index, index.end(), "git", "walrus walrus otter");
        TopHits more = TextSearch.rank(List.of(slice(index)), "walrus otter", 21, true, null);
        assertThat(more.total()).isBetween(21, 251);
        assertThat(more.isExact()).isFalse();
        TopHits all = TextSearch.rank(List.of(slice(index)), "otter", 21, true, null);
        assertThat(all.total()).isEqualTo(1);
        assertThat(all.isExact()).isTrue();
    }

    private static void assertBeginningOfAll(MemoryTextIndex index, String request, int most) {
        List<LogSlice> slices = List.of(slice(index));
        TopHits all = TextSearch.rank(slices, request);
        TopHits some = TextSearch.rank(slices, request, most, false, null);
        assertThat(all.isExact()).isTrue();
        assertThat(all.total()).isEqualTo(all.hits().size());
        int counted = index.end() > TextSearch.FEW_ENTRIES ? 0 : TextSearch.COUNTED;
        assertThat(some.isExact() || all.total() >= Math.max(counted, most)).isTrue();
        assertThat(some.total()).isBetween(some.isExact() ? all.total() : most, all.total());
        assertThat(some.hits().size())
                .isGreaterThanOrEqualTo(Math.min(most, all.hits().size()));
        assertThat(lines(some)).isEqualTo(lines(all).subList(0, some.hits().size()));
        if (some.hits().size() < all.hits().size()) {
            assertThat(all.hits().get(some.hits().size()).score())
                    .isLessThan(all.hits().get(some.hits().size() - 1).score());
        }
    }

    /** Skipping loses no hit: each scores the same beside the best alone, and every other entry is below the floor. */
    @Property(tries = 50)
    void rank_withFewEssentialClauses_isThatOfEachEntryBesideTheBest(@ForAll("request") String request) {
        MemoryTextIndex index = new MemoryTextIndex();
        int lines = 6_000;
        for (int i = 0; i < lines; i++) {
            add(index, i, i % 3 == 0 ? "git" : "npm", text(i));
        }
        TopHits all = TextSearch.rank(List.of(slice(index)), request);
        for (int rank = 0; rank < all.hits().size(); rank += 1 + all.hits().size() / 5) {
            int one = all.hits().get(rank).ordinal();
            int best = all.hits().get(0).ordinal();
            TopHits both = TextSearch.rank(List.of(slice(index, lines, line -> line == one || line == best)), request);
            assertThat(lines(both)).contains(lines(all).get(rank));
        }
        TopHits rest = TextSearch.rank(
                List.of(slice(index, lines, line -> !ordinals(all).get(line))), request);
        assertThat(all.hits().size() == 0
                        || rest.hits().size() == 0
                        || rest.hits().get(0).score()
                                < (RankingParameters.FLOOR_OF_MORE + 0.0001)
                                        * all.hits().get(0).score())
                .isTrue();
    }

    private static BitSet ordinals(TopHits ranking) {
        BitSet ordinals = new BitSet();
        ranking.hits().forEach(hit -> ordinals.set(hit.ordinal()));
        return ordinals;
    }

    /** A reader that runs concurrently with the writer gets, for any cutoff, the hits of an index without a writer. */
    @Test
    void rank_whileAnotherThreadAdds_isThatOfItsCutoff() throws Exception {
        int entries = 20_000;
        MemoryTextIndex index = new MemoryTextIndex();
        MemoryTextIndex quiet = new MemoryTextIndex();
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
                TopHits expected =
                        TextSearch.rank(List.of(slice(quiet, seen.cutoff, null)), "push rejected port E0308 name9");
                assertThat(seen.lines).as("cutoff %d", seen.cutoff).isEqualTo(lines(expected));
            }
        }
        readers.shutdown();
    }

    private record Seen(int cutoff, List<String> lines) {}

    private static List<Seen> read(MemoryTextIndex index, AtomicBoolean done) {
        List<Seen> seen = new ArrayList<>();
        while (!done.get() && seen.size() < 200) {
            int cutoff = index.end();
            TopHits found = TextSearch.rank(List.of(slice(index, cutoff, null)), "push rejected port E0308 name9");
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

    private static List<String> lines(TopHits ranking) {
        return ranking.hits().stream()
                .map(hit -> hit.ordinal() + " " + hit.score() + " " + ranking.matched(hit))
                .toList();
    }

    private static LogSlice slice(MemoryTextIndex index) {
        return slice(index, index.end(), null);
    }

    private static LogSlice slice(MemoryTextIndex index, int cutoff, @Nullable IntPredicate accept) {
        return new LogSlice(List.of(new LogSlice.Part(index, 0)), cutoff, accept, 1);
    }

    private static TopHits rank(MemoryTextIndex index, String request) {
        return TextSearch.rank(List.of(slice(index)), request);
    }

    private static void add(MemoryTextIndex index, int ordinal, String tool, String text) {
        add(index, ordinal, tool, text, "");
    }

    private static void add(MemoryTextIndex index, int ordinal, String tool, String text, String hash) {
        index.add(ordinal, fields -> {
            fields.text(FieldBoost.TOOL, tool);
            fields.text(FieldBoost.TEXT, text);
            fields.text(FieldBoost.HASH, hash);
        });
    }
}
