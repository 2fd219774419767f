package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Scan;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cuts a log at every byte, and flips a bit in every byte of every file: reading goes on, and verify reports it.
 * Without soak at every {@value #STEP}th byte, and at each beside the end of a line.
 */
class DamageTest {
    private static final Path DATA = Caller.DIRECTORY.resolve("data");
    private static final int STEP = 5;

    private final ModelFileSystem sealed = sealed();
    private int places;
    private int reported;
    private int found;

    /** A store of every kind of line, closed: all its bytes are sealed. */
    private static ModelFileSystem sealed() {
        ModelFileSystem disk = RecordedFileSystem.used();
        Caller caller = new Caller(Durability.EACH);
        caller.open(disk);
        caller.record("fn");
        caller.store().close();
        return disk.after(Loss.PROCESS);
    }

    /** A line of a log. */
    private record Line(int start, int end, String text) {
        boolean touches(int offset) {
            // A change of the line end before a line changes that line too.
            return offset >= start - 1 && offset <= end;
        }
    }

    private static List<Line> lines(byte[] bytes) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '\n') {
                if (i > start) {
                    lines.add(new Line(start, i, new String(bytes, start, i - start, StandardCharsets.UTF_8)));
                }
                start = i + 1;
            }
        }
        return lines;
    }

    @Test
    void verify_undamagedLog_reportsNothing() {
        look(sealed.after(Loss.PROCESS), List.of(), "no damage", false);
        assertThat(reported).isZero();
    }

    /** Some offsets; with a step of 1 all. */
    private static int[] offsets(byte[] bytes, int step) {
        return IntStream.range(0, bytes.length)
                .filter(i ->
                        i % step == 0 || bytes[i] == '\n' || i > 0 && bytes[i - 1] == '\n' || i == bytes.length - 1)
                .toArray();
    }

    @Test
    void log_cut_keepsTheLinesBeforeAndReportsIt() {
        cut(STEP);
    }

    @Test
    @Tag("soak")
    void log_cutAtEveryByte_keepsTheLinesBeforeAndReportsIt() {
        cut(1);
    }

    private void cut(int step) {
        for (String log : Aftermath.LOGS) {
            Path file = DATA.resolve(log);
            byte[] bytes = sealed.bytes(file);
            for (int cut : offsets(bytes, step)) {
                ModelFileSystem disk = sealed.after(Loss.PROCESS);
                disk.cut(file, cut);
                List<String> whole = lines(bytes).stream()
                        .filter(line -> line.end <= cut)
                        .map(Line::text)
                        .toList();
                look(disk, whole, log + " cut at " + cut, true);
            }
        }
        report("logs cut, step " + step);
    }

    @Test
    void log_bitTurned_keepsTheOtherLinesAndReportsIt() {
        turn(STEP, offset -> new int[] {1 << offset % 8});
        report("a bit of the logs turned over, step " + STEP);
    }

    @Test
    @Tag("soak")
    void log_everyBitTurned_keepsTheOtherLinesAndReportsIt() {
        turn(1, offset -> new int[] {1, 2, 4, 8, 16, 32, 64, 128});
        report("every bit of the logs turned over");
    }

    private interface Bits {
        int[] at(int offset);
    }

    private void turn(int step, Bits bits) {
        for (String log : Aftermath.LOGS) {
            Path file = DATA.resolve(log);
            byte[] bytes = sealed.bytes(file);
            for (int offset : offsets(bytes, step)) {
                List<String> others = lines(bytes).stream()
                        .filter(line -> !line.touches(offset))
                        .map(Line::text)
                        .toList();
                for (int bit : bits.at(offset)) {
                    ModelFileSystem disk = sealed.after(Loss.PROCESS);
                    disk.flip(file, offset, bit);
                    look(disk, others, log + " at " + offset + ", bits " + bit, true);
                }
            }
        }
    }

    @Test
    void derivedFile_bitTurned_costsNothing() {
        turnInDerived(STEP);
    }

    @Test
    @Tag("soak")
    void derivedFile_bitTurnedInEveryByte_costsNothing() {
        turnInDerived(1);
    }

    private void turnInDerived(int step) {
        List<String> all = new ArrayList<>();
        for (String log : Aftermath.LOGS) {
            lines(sealed.bytes(DATA.resolve(log))).forEach(line -> all.add(line.text));
        }
        for (Map.Entry<Path, byte[]> file : sealed.files().entrySet()) {
            if (!Aftermath.LOGS.contains(String.valueOf(file.getKey().getFileName()))) {
                for (int offset : offsets(file.getValue(), step)) {
                    ModelFileSystem disk = sealed.after(Loss.PROCESS);
                    disk.flip(file.getKey(), offset, 1 << offset % 8);
                    look(disk, all, file.getKey() + " at " + offset, false);
                }
            }
        }
        report("a bit of index.json and of the files of this machine turned over, step " + step);
    }

    private void report(String what) {
        System.out.printf(
                "reliability: %s: %,d damages, %,d reported by verify, %,d other lines looked for, lost 0%n",
                what, places, reported, found);
        assertThat(places).isPositive();
    }

    /**
     * Asks everything that can be asked; the lines that are whole must be there, and verify must tell where it has to.
     */
    private void look(ModelFileSystem disk, List<String> whole, String damage, boolean mustReport) {
        Caller caller = new Caller(Durability.OS);
        caller.open(disk);
        try (XMemStore store = caller.store()) {
            VerifyReport report = store.verify();
            List<String> there = store.search(Query.all()).matches().stream()
                    .map(Match::entry)
                    .map(Entry::json)
                    .toList();
            for (String line : whole) {
                boolean entry = !line.startsWith("<<<") && !line.contains("dedupe_key");
                assertThat(!entry || there.contains(line))
                        .as(damage + ": " + line)
                        .isTrue();
                found += entry ? 1 : 0;
            }
            boolean reports = report.findings().stream().anyMatch(finding -> finding.contains("sealed"));
            assertThat(!mustReport || reports).as(damage + " is reported").isTrue();
            reported += reports ? 1 : 0;
            places++;
            store.search(Query.words("unable access care"));
            store.scan(Scan.of("note"));
            store.recall(ToolCall.shell("git push"), ToolError.text("fatal: unable to access"));
            assertThat(store.stats().text()).isNotBlank();
            Failure after = store.recordFailure(Failure.of("git", "push", "afterwards"));
            assertThat(store.find(after.id())).contains(after);
        } catch (RuntimeException e) {
            throw new AssertionError(damage, e);
        }
    }
}
