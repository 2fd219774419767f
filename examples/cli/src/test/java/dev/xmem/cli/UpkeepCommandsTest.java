package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.CompactionPlan;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem compact}, {@code restore}, {@code purge} and {@code verify} on one store, including invalid input. */
class UpkeepCommandsTest {
    @TempDir
    Path store;

    private Path log;
    private String old;
    private String first;
    private String second;

    @BeforeEach
    void makeStore() throws IOException {
        log = Files.createDirectories(store.resolve("data")).resolve("failures.jsonl");
        Instant now = Instant.now();
        old = write(now.minus(Duration.ofDays(200)), "git-old", "old advice");
        first = write(now.minus(Duration.ofDays(3)), "git-new", "first advice");
        second = write(now.minus(Duration.ofDays(2)), "git-new", "second advice");
        Files.writeString(log, "{broken\n", StandardOpenOption.APPEND);
    }

    private String write(Instant ts, String hash, String advice) throws IOException {
        String id = ts.toString().substring(0, 10) + "-001";
        String line = "{\"id\":\"" + id + "\",\"ts\":\"" + ts + "\",\"type\":\"tool_failure\",\"tool\":\"git\","
                + "\"action\":\"push\",\"error\":\"rejected\",\"pattern_avoid\":\"" + advice + "\",\"ctx_hash\":\""
                + hash
                + "\"}\n";
        Files.writeString(log, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return id;
    }

    private Xmem run(String... args) {
        return Xmem.run(Stream.concat(Stream.of(args), Stream.of("--store", store.toString()))
                .toArray(String[]::new));
    }

    private List<Path> in(String folder) throws IOException {
        if (Files.notExists(store.resolve(folder))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(store.resolve(folder))) {
            return files.sorted().toList();
        }
    }

    @Test
    void compact_dryRun_listsRemovalsAndChangesNothing() throws IOException {
        String before = Files.readString(log);

        Xmem run = run("compact", "--dry-run");

        assertThat(run.code()).isZero();
        assertThat(run.lines().get(0))
                .isEqualTo("Would take 2 lines out of the logs: 1 merged into another, 1 moved to an archive, 0 stale."
                        + " Also removed: 1 broken, 0 repeated.");
        assertThat(run.out()).contains("failures.jsonl at byte 0, " + old + ": it is old and moves to the archive of ");
        assertThat(run.out()).contains(first + ": the same as " + second + " within 7 days, and becomes part of it");
        assertThat(run("compact", "--dry-run", "--json").out())
                .startsWith("{\"removes\":[{\"id\":\"" + old + "\",\"because\":\"it is old and")
                .endsWith("}]}\n");
        assertThat(log).hasContent(before.stripTrailing());
        assertThat(in("data")).containsExactly(log);
        assertThat(store.resolve(".xmem")).doesNotExist();
    }

    /** Two programs compact at once: the plan of one is out of date by the time it may begin. */
    @Test
    void compact_anotherCompactionCameFirst_plansAgain() {
        RootCommand root = new RootCommand(
                new Terminal(InputStream.nullInputStream(), System.out, System.err), Environment.ofProcess());
        CompactSubcommand command = new CompactSubcommand();
        command.root = root;
        Retention retention = Retention.defaults();
        try (XMemStore open = XMem.open(store)) {
            CompactionPlan plan = open.planCompaction(retention);
            open.compact(open.planCompaction(retention));
            assertThat(command.compact(open, retention, plan)).isEqualTo("Nothing to compact.");
        }
    }

    @Test
    void compact_repeatedLine_isCounted() throws IOException {
        run("compact");
        Files.writeString(log, Files.readString(log), StandardOpenOption.APPEND);
        assertThat(run("compact").out()).startsWith("1 line removed from the logs; backup: ");
    }

    @Test
    void compact_restore_restoresLines() throws IOException {
        Xmem compacted = run("compact");

        assertThat(compacted.code()).isZero();
        assertThat(compacted.out())
                .startsWith("2 lines removed from the logs; 1 malformed line moved to "
                        + store.resolve(".xmem/quarantine") + "; backup: ");
        assertThat(Files.readAllLines(log)).singleElement().asString().contains("\"covers\":[\"" + first + "\"]");
        assertThat(in("data/archive")).hasSize(1);
        assertThat(in(".xmem/quarantine"))
                .singleElement()
                .satisfies(file -> assertThat(file).hasContent("{broken"));
        Path backup = in("data/backup").get(0);
        assertThat(compacted.out()).endsWith(backup + "\n");
        assertThat(run("compact", "--json").out()).startsWith("{\"removed\":0,\"quarantined\":0,\"backup\":\"");
        assertThat(run("compact").out()).isEqualTo("Nothing to compact.\n");
        assertThat(run("verify").out()).isEqualTo("2 lines, all in order\n");
        assertThat(run("stats").out()).contains("ompact").doesNotContain("never");

        Xmem restored = run("restore", String.valueOf(backup.getFileName()));

        assertThat(restored.code()).isZero();
        assertThat(restored.out())
                .startsWith(
                        "The lines of " + backup.getFileName() + " are in the logs again, in place of 1 line; backup: ")
                .doesNotContain(backup.toString());
        assertThat(Files.readAllLines(log)).hasSize(4).anyMatch(line -> line.contains("first advice"));
        assertThat(run("restore", backup.toString(), "--json").out()).startsWith("{\"removed\":");
        assertThat(run("search", "ctx_hash=git-new").out()).contains(first, second);
    }

    @Test
    void compact_pruneAfterDays_removesUnusedEntries() throws IOException {
        Xmem dry = run("compact", "--dry-run", "--prune-after-days", "100");
        assertThat(dry.out()).contains("1 stale", old + ": nothing happened to it for 100 days");

        assertThat(run("compact", "--prune-after-days=100").code()).isZero();

        assertThat(in("data/archive")).isEmpty();
        assertThat(run("search", "push").out()).contains(second).doesNotContain(old);
    }

    @Test
    void restore_prunedLines_saysThatTheyAreBackAndNamesOnlyABackupThatIsThere() throws IOException {
        run("compact", "--prune-after-days=100");
        String first = String.valueOf(in("data/backup").get(0).getFileName());
        run("restore", first);
        String second = String.valueOf(in("data/backup").get(1).getFileName());

        for (String backup : List.of(first, second)) {
            String said = run("restore", backup).out().strip();
            assertThat(said)
                    .startsWith("The lines of " + backup + " are in the logs again")
                    .doesNotContain(" 0 lines");
            int named = said.indexOf("; backup: ");
            assertThat(named < 0 ? store : Path.of(said.substring(named + "; backup: ".length())))
                    .isDirectory();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1.5", "99999999999", ""})
    void compact_wrongNumberOfDays_isRefusedAndChangesNothing(String days) throws IOException {
        String before = Files.readString(log);

        Xmem run = run("compact", "--prune-after-days", days);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("--prune-after-days");
        assertThat(log).hasContent(before.stripTrailing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01T00_00_00Z", "..", ".", "/", "failures.jsonl", "x.unfinished"})
    void restore_noBackup_isRefusedAndChangesNothing(String backup) throws IOException {
        Files.createDirectories(store.resolve("data/backup/x.unfinished"));
        Files.writeString(store.resolve("data/backup/x.unfinished/failures.jsonl"), "{}\n");
        String before = Files.readString(log);

        Xmem run = run("restore", backup);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("backup must name a backup of this store")
                .contains("data/backup");
        assertThat(log).hasContent(before.stripTrailing());
    }

    @Test
    void purge_ids_areErasedFromLogsArchivesAndBackups() throws IOException {
        run("compact");

        Xmem run = run("purge", old, first, "2020-01-01-001");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("2 lines erased\n");
        assertThat(log).isEmptyFile();
        Path backup = in("data/backup").get(0).resolve("failures.jsonl");
        assertThat(backup).content().contains(old, first, second);
        assertThat(run("purge", "--backups", "--json", old).out()).isEqualTo("{\"gone\":1}\n");
        assertThat(backup).content().contains(first, second).doesNotContain(old);
    }

    @Test
    void purge_mergedEntry_saysHowToEraseItFromBackups() throws IOException {
        run("compact");

        Xmem run = run("purge", second);

        assertThat(run.out()).isEqualTo("1 line erased\n");
        assertThat(run.err())
                .contains("the backups in " + store.resolve("data/backup") + " keep what they have of it")
                .contains("xmem purge --backups " + second + " " + first + "\n");
        run("purge", "--backups", second, first);
        assertThat(in("data/backup").get(0).resolve("failures.jsonl"))
                .content()
                .contains(old)
                .doesNotContain("git-new");
        assertThat(run("purge", "--backups", old).err()).doesNotContain("keep");
    }

    @Test
    void purge_coversThatAreNoIds_areNotInTheCommandToPaste() throws IOException {
        run("compact");
        String merged = Files.readString(log);
        assertThat(merged).contains("\"covers\":[");
        Files.writeString(log, merged.replace("\"covers\":[", "\"covers\":[\"$(touch x)\","));

        assertThat(run("purge", second).err())
                .contains("xmem purge --backups " + second + " " + first + "\n")
                .doesNotContain("touch");
    }

    @Test
    void purge_unknownId_setsExitCode() throws IOException {
        String before = Files.readString(log);

        Xmem run = run("purge", "2020-01-01-001");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("0 lines erased\n");
        assertThat(run.err()).isEqualTo("xmem: no entry has the id 2020-01-01-001\n");
        assertThat(log).hasContent(before.stripTrailing());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"purge", "restore", "restore a b", "compact now", "verify it", "purge --all", "compact --force"})
    void anyCommand_wrongArguments_isRefusedAndChangesNothing(String line) throws IOException {
        String before = Files.readString(log);

        Xmem run = run(line.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isNotBlank();
        assertThat(log).hasContent(before.stripTrailing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"compact", "compact --dry-run", "purge 2020-01-01-001", "restore x", "verify"})
    void anyCommand_noStore_createsNone(String line) {
        Path nowhere = store.resolve("no/such/store");

        Xmem run = Xmem.run((line + " --store " + nowhere).split(" "));

        assertThat(run.code()).isNotZero();
        assertThat(nowhere).doesNotExist();
    }

    @Test
    void verify_derivedFileIsBehind_isANoteAndNoFinding() throws IOException {
        run("compact");
        write(Instant.now().minus(Duration.ofDays(1)), "git-other", "written by another program");

        Xmem run = run("verify");

        assertThat(run.code()).as(run.out()).isZero();
        assertThat(run.lines())
                .containsExactly(
                        "note: index.json covers 2 of 3 failures and successes; the next flush or verify of a writable"
                                + " store brings it up to date",
                        "3 lines, all in order");
        assertThat(run("verify", "--json").out()).contains("\"findings\":[],\"notices\":[\"index.json covers 2 of 3");
        Files.delete(store.resolve(".xmem/index-state.json"));
        assertThat(run("verify").out()).startsWith("note: index.json is not the one that was written last; ");
        Files.delete(store.resolve("data/index.json"));
        assertThat(run("verify").out()).startsWith("note: index.json is missing; ");
    }

    @Test
    void verify_malformedLineDuplicateIdAndDamage_reportsFileAndByteAndChangesNothing() throws IOException {
        long byteOfBroken = Files.size(log) - "{broken\n".length();
        write(Instant.now().minus(Duration.ofDays(2)), "git-other", "another line with the id");

        Xmem run = run("verify");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.lines())
                .anyMatch(line -> line.contains("failures.jsonl") && line.contains("byte " + byteOfBroken));
        assertThat(run.out()).contains(second).containsPattern(", \\d+ findings?\n$");
        assertThat(run("verify", "--json").out())
                .startsWith("{\"clean\":false,\"lines\":")
                .contains(",\"count\":");
        assertThat(in("data")).containsExactly(log);
    }
}
