package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sealed index files: the same answers with and without them, whatever became of them or of the log. */
class SegmentsTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final List<String> WORDS =
            List.of("permission", "timeout", "certificate", "quota", "snake_case", "Täst");

    @TempDir
    Path folder;

    private Path log() {
        return folder.resolve("data/failures.jsonl");
    }

    private XMemStore open(Path directory, int segmentLines) {
        return TestStores.builder(directory, segmentLines)
                .clock(() -> NOW)
                .random(new Random(1))
                .open();
    }

    /** A store with all kinds of lines, among them repeated, malformed and foreign ones. */
    private void fill(XMemStore store) throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < 150; i++) {
            String word = WORDS.get(random.nextInt(WORDS.size()));
            Entry entry = store.recordFailure(
                    Failure.of(i % 3 == 0 ? "git" : "npm", "push origin b" + i % 7, "fatal: " + word + " failed " + i)
                            .tags("t" + i % 5, word)
                            .sessionId("s" + i / 10));
            if (i % 10 == 0) {
                store.recordSuccess(Success.of("git", "push -u").answers(entry.id()));
                store.reportOutcome(entry.id(), i % 20 == 0 ? Outcome.WORKED : Outcome.FAILED, "voter" + i);
                store.recordAll(List.of(Note.of("fact", "noted " + word + " " + i)));
            }
        }
    }

    private static List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (String word : WORDS) {
            queries.add(Query.words(word + " failed"));
            queries.add(Query.literal(word));
            queries.add(Query.regex(word.substring(1) + " f[a-z]+ed 1"));
            queries.add(Query.all().tag(word).limit(7));
        }
        queries.add(Query.all());
        queries.add(Query.all().tool("git"));
        queries.add(Query.all().tool("npm").tag("t3").limit(5).offset(3));
        queries.add(Query.all().session("s4"));
        queries.add(Query.all().kind(Entry.Kind.SUCCESS, Entry.Kind.NOTE));
        queries.add(Query.literal("failed 14"));
        queries.add(Query.literal("absent text"));
        queries.add(Query.literal("ed"));
        queries.add(Query.regex("(?i)FAILED 1[0-9]+"));
        return queries;
    }

    private static List<String> answers(XMemStore store) {
        List<String> answers = new ArrayList<>();
        for (Query query : queries()) {
            Page page = store.search(query);
            answers.add(query + " -> " + page.total() + " " + page.text());
            if (page.cursor() != null) {
                answers.add(store.search(query.after(page.cursor())).text());
            }
        }
        for (int i = 0; i < 7; i++) {
            answers.add(ids(
                    store.recall(ToolCall.json("git", "push origin b" + i), ToolError.text("fatal: quota failed " + i))
                            .matches()));
        }
        Stats stats = store.stats();
        answers.add(stats.failures() + " " + stats.successes() + " " + stats.topToolsByFailures(9) + " "
                + stats.topTags(9) + " " + stats.malformedLines());
        for (Match match : store.search(Query.all()).matches()) {
            answers.add(store.find(match.entry().id()).orElseThrow().json());
        }
        return answers;
    }

    private static String ids(List<Match> matches) {
        return matches.stream()
                .map(match -> match.entry().json() + match.score())
                .toList()
                .toString();
    }

    private List<String> answersOf(int segmentLines) {
        try (XMemStore store = open(folder, segmentLines)) {
            return answers(store);
        }
    }

    private List<Path> segments() throws IOException {
        Path index = folder.resolve(".xmem/index");
        if (!Files.exists(index)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(index)) {
            return files.filter(file -> Stream.of(".facts", ".text", ".merged").anyMatch(file.toString()::endsWith))
                    .sorted()
                    .toList();
        }
    }

    private void used(int segmentLines) throws IOException {
        try (XMemStore store = open(folder, segmentLines)) {
            fill(store);
        }
        Files.writeString(
                log(),
                "not json\n\n{\"id\":\"x\",\"tool\":\"git\",\"error\":\"quota failed there\"}\n"
                        + "{\"id\":\"x\",\"tool\":\"git\",\"error\":\"other quota failed\"}\n"
                        + Files.readAllLines(log()).get(3) + "\n",
                StandardOpenOption.APPEND);
        try (XMemStore store = open(folder, segmentLines)) {
            for (int i = 0; i < 40; i++) {
                store.recordFailure(Failure.of("cargo", "build", "error: certificate failed " + i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16, 64})
    void answers_withSegmentsOfAnySize_areTheSame(int segmentLines) throws IOException {
        used(segmentLines);
        List<String> expected = answersOf(Segments.MOST);
        assertThat(answersOf(segmentLines)).isEqualTo(expected);
        assertThat(segments()).as("written").isNotEmpty();
        assertThat(answersOf(segmentLines)).as("from the segments").isEqualTo(expected);
    }

    @Test
    void open_withSegments_makesNoOthers() throws IOException {
        used(16);
        answersOf(16);
        List<Path> before = segments();
        try (XMemStore store = open(folder, 16)) {
            assertThat(store.search(Query.literal("failed 14")).total()).isPositive();
        }
        assertThat(segments())
                .isEqualTo(before)
                .anyMatch(file -> file.toString().endsWith(".text"));
    }

    @Test
    void literal_inALargeMemtable_isFoundAsItIsAddedTo() throws IOException {
        try (XMemStore store = open(folder, 1024)) {
            for (int i = 0; i < 700; i++) {
                store.recordFailure(Failure.of("git", "push", "marker" + i + " went wrong"));
                if (i > 600) {
                    assertThat(store.search(Query.literal("marker" + i + " went"))
                                    .total())
                            .isEqualTo(1);
                }
            }
            for (int i : new int[] {0, 255, 256, 511, 512, 699}) {
                assertThat(store.search(Query.literal("marker" + i + " went")).total())
                        .isEqualTo(1);
            }
            assertThat(store.search(Query.literal("marker700")).total()).isZero();
            assertThat(store.search(Query.regex("marker1[0-9]{2} w")).total()).isEqualTo(100);
        }
    }

    private void merged(int segmentLines) {
        try (XMemStore store = open(folder, segmentLines)) {
            store.verify();
        }
    }

    private long lines() throws IOException {
        try (Stream<Path> logs = Files.list(folder.resolve("data"))) {
            long lines = 0;
            for (Path log : (Iterable<Path>) logs.filter(file -> file.toString().endsWith(".jsonl"))::iterator) {
                lines += Files.readAllLines(log).size();
            }
            return lines;
        }
    }

    private List<Path> merged() throws IOException {
        return segments().stream()
                .filter(file -> file.toString().endsWith(".merged"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void answers_fromMergedSegments_areTheSame(int segmentLines) throws IOException {
        used(segmentLines);
        List<String> expected = answersOf(Segments.MOST);
        try (XMemStore store = open(folder, segmentLines)) {
            assertThat(answers(store)).as("before").isEqualTo(expected);
            store.verify();
            assertThat(answers(store)).as("in the same process").isEqualTo(expected);
            assertThat(merged()).isNotEmpty();
            assertThat(segments().size()).as("files").isLessThan((int) (lines() / segmentLines));
            store.recordFailure(Failure.of("cargo", "test", "error: more"));
        }
        List<Path> before = merged();
        List<String> more = answersOf(segmentLines);
        merged(segmentLines);
        assertThat(merged()).as("still used").containsAll(before);
        assertThat(answersOf(Segments.MOST)).as("without segments").isEqualTo(more);
    }

    @Test
    void mergedSegment_damagedAnywhereOrCut_costsNoAnswer() throws IOException {
        used(16);
        merged(16);
        List<String> expected = answersOf(16);
        Path segment = merged().get(0);
        byte[] whole = Files.readAllBytes(segment);
        for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 7)) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            Files.write(segment, damaged);
            assertThat(answersOf(16)).as("a bit at " + at).isEqualTo(expected);
            Files.write(segment, Arrays.copyOf(whole, at));
            assertThat(answersOf(16)).as("cut at " + at).isEqualTo(expected);
            merged(16);
            assertThat(segment).exists();
        }
    }

    @Test
    void segment_damagedInALogWithoutTheKindThatIsAsked_isLeftToTheQueryThatNeedsIt() throws IOException {
        try (XMemStore store = open(folder, 4)) {
            for (int i = 0; i < 64; i++) {
                store.recordFailure(Failure.of("git", "push b" + i, "fatal: quota failed " + i));
                store.recordSuccess(Success.of("git", "push -u b" + i));
            }
            store.verify();
        }
        Query failures = Query.all().kind(Entry.Kind.FAILURE);
        Query successes = Query.all().kind(Entry.Kind.SUCCESS);
        Path segment = merged().stream()
                .filter(file -> file.getFileName().toString().startsWith("successes"))
                .findFirst()
                .orElseThrow();
        byte[] whole = Files.readAllBytes(segment);
        int left = 0;
        for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 40)) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            Files.write(segment, damaged);
            try (XMemStore store = open(folder, 4)) {
                assertThat(store.search(failures).total()).isEqualTo(64);
                left += isStill(segment, damaged) ? 1 : 0;
                assertThat(store.search(successes).total()).as("a bit at " + at).isEqualTo(64);
                assertThat(ids(store.search(successes).matches())).contains("push -u b63", "push -u b0");
                boolean unread = isStill(segment, damaged);
                assertThat(store.verify().findings())
                        .as("a bit at " + at)
                        .filteredOn(finding -> finding.contains("damaged segment"))
                        .hasSize(unread ? 1 : 0);
            }
            assertThat(isStill(segment, damaged))
                    .as("a bit at " + at + " is left")
                    .isFalse();
            Files.write(segment, whole);
        }
        assertThat(left).as("damages that the query for failures did not meet").isPositive();
    }

    private static boolean isStill(Path file, byte[] bytes) throws IOException {
        return Files.exists(file) && Arrays.equals(Files.readAllBytes(file), bytes);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void total_amongHiddenLinesAndVotes_isTheNumberOfEntriesThatAreShown(boolean withoutId) throws IOException {
        used(4);
        merged(4);
        try (XMemStore store = open(folder, 4)) {
            List<Match> shown = store.search(Query.all().tool("git")).matches();
            for (int i = 0; i < 20; i += 5) {
                store.amend(shown.get(i).entry().id(), Amendment.dismiss("wrong"));
                store.amend(
                        shown.get(i + 1).entry().id(),
                        Amendment.supersededBy(shown.get(i + 2).entry().id()));
            }
            store.amend(shown.get(0).entry().id(), Amendment.restore());
            Files.writeString(
                    log(),
                    "{\"id\":\"c\",\"type\":\"tool_failure\",\"tool\":\"git\",\"covers\":[\""
                            + shown.get(3).entry().id()
                            + "\"]}\n{\"type\":\"tool_failure\",\"tool\":\"unnamed\",\"error\":\"no id\"}\n",
                    StandardOpenOption.APPEND);
            if (withoutId) {
                Entry unnamed = store.search(Query.all().tool("unnamed"))
                        .matches()
                        .get(0)
                        .entry();
                store.amend(unnamed.id(), Amendment.dismiss("no entry"));
            }
            assertTotals(store);
            store.recordFailure(Failure.of("git", "push", "fatal: one more"));
            store.reportOutcome(shown.get(7).entry().id(), Outcome.FAILED, "late");
            assertTotals(store);
        }
        try (XMemStore store = open(folder, 4)) {
            assertTotals(store);
        }
    }

    private static void assertTotals(XMemStore store) {
        List<Set<Entry.Kind>> some = new ArrayList<>(List.of(Set.of(), Set.of(Entry.Kind.FAILURE, Entry.Kind.UNKNOWN)));
        for (Entry.Kind kind : Entry.Kind.values()) {
            some.add(Set.of(kind));
        }
        for (Set<Entry.Kind> kinds : some) {
            Query query = Query.all().kind(kinds.toArray(Entry.Kind[]::new)).limit(30);
            Page page = store.search(query);
            long total = page.total();
            long seen = page.matches().size();
            while (page.cursor() != null) {
                page = store.search(query.after(page.cursor()));
                seen += page.matches().size();
            }
            assertThat(total).as("entries of " + kinds).isEqualTo(seen);
        }
    }

    @Test
    void merge_stopped_leavesNothingAndIsTriedAgain() throws IOException {
        used(4);
        merged(1 << 10);
        answersOf(4);
        try (XMemStore store = open(folder, 4)) {
            answers(store);
            List<Path> before = segments();
            AtomicInteger asked = new AtomicInteger();
            assertThatThrownBy(() -> TestStores.mergeOne(store, () -> asked.incrementAndGet() > 7))
                    .isInstanceOf(CancellationException.class);
            assertThat(segments()).isEqualTo(before);
            assertThat(TestStores.mergeOne(store, () -> false)).isTrue();
            assertThat(merged()).hasSize(1);
        }
    }

    @Test
    void open_andClose_mergeNothing() throws IOException {
        used(4);
        for (int i = 0; i < 3; i++) {
            try (XMemStore store = open(folder, 4)) {
                store.search(Query.words("quota failed"));
                store.recordFailure(Failure.of("go", "test", "panic: " + i));
                store.flush();
            }
        }
        assertThat(segments()).hasSizeGreaterThan(16);
        assertThat(merged()).isEmpty();
    }

    @Test
    @Timeout(60)
    void open_forMoreThanAMoment_mergesInTheBackground() throws Exception {
        used(4);
        List<String> expected = answersOf(4);
        try (XMemStore store = open(folder, 4)) {
            while (merged().isEmpty()) {
                Thread.sleep(20);
            }
            assertThat(answers(store)).isEqualTo(expected);
        }
    }

    @Test
    void log_editedInPlaceUnderAMergedSegment_isReadAgain() throws IOException {
        used(4);
        merged(4);
        byte[] bytes = Files.readAllBytes(log());
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("quota failed")] = 'Q';
        Files.write(log(), bytes, StandardOpenOption.WRITE);
        try (XMemStore store = open(folder, 4)) {
            assertThat(store.verify().findings()).anyMatch(finding -> finding.contains("changed in place"));
            assertThat(store.search(Query.literal("Quota failed")).total()).isEqualTo(1);
        }
        merged(4);
        assertThat(answersOf(4)).isEqualTo(answersOf(Segments.MOST));
    }

    @Test
    void log_editedInPlaceBeforeItsTextIsIndexed_isReadAgain() throws IOException {
        used(4);
        for (Path segment : segments()) {
            if (segment.toString().endsWith(".text")) {
                Files.delete(segment);
            }
        }
        byte[] bytes = Files.readAllBytes(log());
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("quota failed")] = 'Q';
        Files.write(log(), bytes, StandardOpenOption.WRITE);
        answersOf(4);
        assertThat(segments()).anyMatch(file -> file.toString().endsWith(".text"));
        try (XMemStore store = open(folder, 4)) {
            answers(store);
            TestStores.checkNow(store);
            assertThat(store.search(Query.literal("Quota failed")).total()).isEqualTo(1);
        }
        assertThat(answersOf(4)).isEqualTo(answersOf(Segments.MOST));
    }

    @Test
    void merge_ofALogThatWasEditedInPlace_doesNotHideIt() throws IOException {
        used(4);
        answersOf(4);
        byte[] bytes = Files.readAllBytes(log());
        try (XMemStore store = open(folder, 4)) {
            answers(store);
            bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("quota failed")] = 'Q';
            Files.write(log(), bytes, StandardOpenOption.WRITE);
            while (TestStores.mergeOne(store, () -> false)) {
                assertThat(merged()).isNotEmpty();
            }
            assertThat(merged()).isNotEmpty();
            assertThat(store.verify().findings()).anyMatch(finding -> finding.contains("changed in place"));
            assertThat(store.search(Query.literal("Quota failed")).total()).isEqualTo(1);
        }
    }

    private void repaired() {
        try (XMemStore store = open(folder, 32)) {
            store.verify();
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("segments"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".facts", ".text"})
    void segment_damagedAnywhereOrCut_isWrittenAgain(String kind) throws IOException {
        used(32);
        List<String> expected = answersOf(32);
        Path segment = segments().stream()
                .filter(file -> file.toString().endsWith(kind))
                .findFirst()
                .orElseThrow();
        byte[] whole = Files.readAllBytes(segment);
        for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 9)) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            Files.write(segment, damaged);
            assertThat(answersOf(32)).as("a bit at " + at).isEqualTo(expected);
            repaired();
            assertThat(segment).hasBinaryContent(whole);
            Files.write(segment, Arrays.copyOf(whole, at));
            assertThat(answersOf(32)).as("cut at " + at).isEqualTo(expected);
            repaired();
            assertThat(segment).hasBinaryContent(whole);
        }
    }

    @Test
    void segment_ofAnotherVersion_isWrittenAgain() throws IOException {
        used(16);
        List<String> expected = answersOf(16);
        for (Path segment : segments()) {
            byte[] whole = Files.readAllBytes(segment);
            for (int version : new int[] {0, 99}) {
                byte[] other = whole.clone();
                ByteBuffer.wrap(other).order(java.nio.ByteOrder.LITTLE_ENDIAN).putInt(other.length - 12, version);
                Files.write(segment, other);
            }
        }
        assertThat(answersOf(16)).isEqualTo(expected);
    }

    @Test
    void log_replacedCutOrEdited_isReadAgain() throws IOException {
        used(16);
        answersOf(16);
        List<String> lines = Files.readAllLines(log());
        Files.write(log(), lines.subList(0, 100));
        assertThat(answersOf(16)).as("cut").isEqualTo(answersOf(Segments.MOST));
        Path other = folder.resolve("other");
        Files.write(
                other,
                lines.stream().map(line -> line.replace("quota", "quote")).toList());
        Files.move(other, log(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        List<String> replaced = answersOf(16);
        assertThat(replaced).as("replaced").isEqualTo(answersOf(Segments.MOST));
        assertThat(replaced.toString()).contains("quote failed");
        answersOf(16);
        answersOf(16);
        Path copy = folder.resolve("copy");
        Files.copy(log(), copy);
        Files.move(copy, log(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        List<Path> before = segments();
        assertThat(answersOf(16)).as("the same bytes in another file").isEqualTo(replaced);
        assertThat(segments()).isNotEmpty().isEqualTo(before);
    }

    @Test
    void verify_ofALogEditedInPlace_reportsItAndReadsItAgain() throws IOException {
        used(64);
        answersOf(64);
        byte[] bytes = Files.readAllBytes(log());
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("quota failed");
        bytes[at] = 'Q';
        Files.write(log(), bytes, StandardOpenOption.WRITE);
        try (XMemStore store = open(folder, 64)) {
            assertThat(store.verify().findings()).anyMatch(finding -> finding.contains("changed in place"));
            assertThat(store.search(Query.literal("Quota failed")).total()).isEqualTo(1);
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("changed in place"));
        }
    }

    @Test
    @Timeout(60)
    void open_ofALogEditedInPlace_noticesInTheBackground() throws Exception {
        used(64);
        answersOf(64);
        byte[] bytes = Files.readAllBytes(log());
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("quota failed")] = 'Q';
        Files.write(log(), bytes, StandardOpenOption.WRITE);
        try (XMemStore store = open(folder, 64)) {
            while (store.search(Query.literal("Quota failed")).total() == 0) {
                Thread.sleep(20);
            }
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("changed in place"));
        }
    }

    @Test
    void open_withWhatIsNoSegmentUnderItsName_readsTheLog() throws IOException {
        used(16);
        List<String> expected = answersOf(16);
        for (Path segment : segments()) {
            Files.delete(segment);
            Files.createDirectories(segment.resolve("inside"));
        }
        assertThat(answersOf(16)).isEqualTo(expected);
    }

    @Test
    void purge_ofAnEntry_leavesNothingOfItInTheSegments() throws IOException {
        used(16);
        answersOf(16);
        try (XMemStore store = open(folder, 16)) {
            Entry entry = store.recordFailure(Failure.of("zyxtool", "zyxact", "error: zyxsecret denied"));
            for (int i = 0; i < 40; i++) {
                store.recordFailure(Failure.of("git", "push", "more " + i));
            }
            store.search(Query.words("zyxsecret"));
            assertThat(inSegments("zyx")).isTrue();
            store.purge(Set.of(entry.id()), true);
            assertThat(inSegments("zyx")).isFalse();
            assertThat(store.search(Query.words("zyxsecret")).matches()).isEmpty();
        }
        assertThat(inSegments("zyx")).isFalse();
    }

    private boolean inSegments(String text) throws IOException {
        for (Path segment : segments()) {
            if (Files.readString(segment, StandardCharsets.ISO_8859_1).contains(text)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void compact_withSegments_losesNothing() throws IOException {
        used(8);
        answersOf(8);
        try (XMemStore store = open(folder, 8)) {
            store.compact(store.planCompaction(Retention.defaults().hotWindow(Duration.ofDays(1))));
        }
        assertThat(answersOf(8)).isEqualTo(answersOf(Segments.MOST));
    }

    @Test
    void readOnly_withOrWithoutSegments_writesNone() throws IOException {
        used(1 << 14);
        List<String> expected = answersOf(1 << 14);
        for (Path segment : segments()) {
            Files.delete(segment);
        }
        try (XMemStore store =
                TestStores.builder(folder, 8).clock(() -> NOW).readOnly().open()) {
            assertThat(answers(store)).hasSameSizeAs(expected);
        }
        assertThat(segments()).isEmpty();
    }

    @Test
    void record_behindASealedLineOfTheFarFuture_isNotBeforeTheNewestOther() throws IOException {
        try (XMemStore store = open(folder, 16)) {
            store.recordFailure(Failure.of("go", "test", "panic: first"));
        }
        String future =
                Files.readString(log()).replace("2026-06-01", "2099-01-01").replace("first", "of a wrong clock");
        Files.writeString(log(), future, StandardOpenOption.APPEND);
        try (XMemStore store = open(folder, 16)) {
            for (int i = 0; i < 30; i++) {
                store.recordFailure(Failure.of("go", "test", "panic: " + i));
            }
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("JSON"));
        }
        assertThat(segments()).isNotEmpty();
        try (XMemStore store = TestStores.builder(folder, 16)
                .clock(() -> NOW.minusSeconds(3600))
                .open()) {
            assertThat(store.recordFailure(Failure.of("go", "vet", "error: clock set back"))
                            .ts())
                    .isEqualTo(NOW);
        }
    }

    @Test
    void twoStores_onOneFolder_shareSegmentsAndSeeEachOther() throws IOException {
        used(8);
        try (XMemStore one = open(folder, 8);
                XMemStore two = open(folder, 8)) {
            for (int i = 0; i < 60; i++) {
                (i % 2 == 0 ? one : two).recordFailure(Failure.of("go", "test", "panic: both " + i));
            }
            assertThat(answers(one)).isEqualTo(answers(two));
            assertThat(one.search(Query.literal("panic: both")).total()).isEqualTo(60);
        }
    }

    private static final class Segments {
        static final int MOST = 1 << 20;
    }
}
