package dev.xmem.core.store.index;

import static dev.xmem.core.answer.search.Stores.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The logs of many replicas in one index: who wrote what, what is erased, and what the next process knows. */
class ManyPeersTest {
    private static final Query WALRUS = Query.words("walrus").limit(70);

    @TempDir
    Path directory;

    private static String replica(int number) {
        return "%08x%024x".formatted(0x10000000 + number, number);
    }

    private static String log(int replica) {
        return "peers/" + replica(replica) + "/failures.jsonl";
    }

    private static String failure(int number, String error) {
        return ("{'id':'2026-02-01-%03d','ts':'2026-02-01T10:%02d:00Z','type':'tool_failure','tool':'rclone',"
                        + "'action':'sync a:b /data','error':'%s','pattern_avoid':'Avoid it',"
                        + "'ctx_hash':'rclone-sync-config-not-found','session_id':'s'}")
                .formatted(number, number % 60, error);
    }

    private void publish(int replica, String... lines) throws IOException {
        Files.createDirectories(directory.resolve("data").resolve(log(replica)).getParent());
        Stores.append(directory, log(replica), lines);
    }

    /** Another file takes the place of a log, as after a compaction or an erasure of its owner. */
    private void replace(int replica, String... lines) throws IOException {
        Path file = directory.resolve("data").resolve(log(replica));
        Path other = file.resolveSibling("other");
        Files.writeString(other, String.join("\n", lines).replace('\'', '"') + "\n");
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> found() {
        try (XMemStore store = Stores.in(directory)) {
            return ids(store.search(WALRUS));
        }
    }

    private boolean isIndexed(String word) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve(".xmem"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(word)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void search_sameIdsInManyReplicas_eachIsShownWithItsOwner() throws IOException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            publish(i, failure(1, "walrus number " + i));
            expected.add("2026-02-01-001" + Origin.peer(replica(i)).suffix());
        }
        try (XMemStore store = Stores.in(directory)) {
            assertThat(ids(store.search(WALRUS))).containsExactlyInAnyOrderElementsOf(expected);
            for (String id : expected) {
                assertThat(store.find(id).orElseThrow().id()).isEqualTo(id);
            }
        }
        assertThat(found()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void search_oneReplicaErases_theOthersStayAndNoDerivedFileHasTheWord() throws IOException {
        String[] lines = Stream.iterate(1, i -> i + 1)
                .limit(70)
                .map(i -> failure(i, "walrus of many " + i))
                .toArray(String[]::new);
        publish(1, failure(1, "walrus one"));
        publish(2, failure(1, "walrus Rumpelstilzchen").replace("'s'", "'Rumpelstilzchen'"), failure(2, "walrus two"));
        publish(3, lines);
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.search(Query.words("rumpelstilzchen")).total()).isEqualTo(1);
            assertThat(store.search(WALRUS).total()).isEqualTo(73);
        }
        assertThat(isIndexed("Rumpelstilzchen")).as("an index was written").isTrue();
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.search(WALRUS).total()).isEqualTo(73);
            replace(2, failure(2, "walrus two"));
            assertThat(store.search(Query.words("rumpelstilzchen")).total()).isZero();
            assertThat(store.search(WALRUS).total()).isEqualTo(72);
            store.flush();
        }
        assertThat(found()).hasSize(70).contains("2026-02-01-002@10000002").doesNotContain("2026-02-01-001@10000002");
        assertThat(isIndexed("umpelstilzchen")).isFalse();
    }

    @Test
    void search_replicaErasedWhileNoProcessRan_isNotFoundByTheNext() throws IOException {
        publish(1, failure(1, "walrus one"), failure(2, "walrus two"));
        publish(2, failure(1, "walrus three"));
        assertThat(found()).hasSize(3);
        replace(1, failure(3, "walrus onf"), failure(2, "walrus two")); // of the same length
        assertThat(found())
                .containsExactlyInAnyOrder(
                        "2026-02-01-003@10000001", "2026-02-01-002@10000001", "2026-02-01-001@10000002");
        Files.delete(directory.resolve("data").resolve(log(1)));
        assertThat(found()).containsExactly("2026-02-01-001@10000002");
    }

    @Test
    void check_lastLogOfAKindIsGone_removesItsSegmentsAndNoOthers() throws IOException {
        String[] lines = Stream.iterate(1, i -> i + 1)
                .limit(70)
                .map(i -> failure(i, "Rumpelstilzchen " + i).replace("'s'", "'Rumpelstilzchen'"))
                .toArray(String[]::new);
        publish(1, lines);
        Stores.append(directory, "failures.jsonl", String.join("\n", lines).replace("Rumpelstilzchen", "Rapunzel"));
        assertThat(found()).isEmpty();
        assertThat(isIndexed("Rumpelstilzchen")).isTrue();
        Files.delete(directory.resolve("data").resolve(log(1)));
        try (XMemStore store = Stores.in(directory)) {
            TestStores.checkNow(store);
        }
        assertThat(isIndexed("Rumpelstilzchen")).isFalse();
        assertThat(isIndexed("Rapunzel")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'0 ', '-7 '", "' 0 ', ' 1 '", "'xmem-chunks', 'other'", "'failures', 'fail'"})
    void search_savedOrderIsDamaged_everyLineIsFound(String from, String to) throws IOException {
        publish(1, failure(1, "one walrus"), failure(2, "two walrus"));
        publish(2, failure(3, "three walrus"));
        found();
        publish(1, failure(4, "four walrus"));
        List<String> before = found();
        Path saved;
        try (Stream<Path> files = Files.list(directory.resolve(".xmem/index"))) {
            saved = files.filter(file -> file.toString().endsWith(".chunks"))
                    .findFirst()
                    .orElseThrow();
        }
        String text = Files.readString(saved);
        assertThat(text).contains(from);
        Files.writeString(saved, text.replace(from, to));

        assertThat(before).hasSize(4);
        assertThat(found()).containsExactlyInAnyOrderElementsOf(before);

        Files.delete(saved);
        Files.createDirectory(saved);
        assertThat(found()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void file_ofTwoProcesses_haveKeysOfTheirOwn() throws IOException {
        publish(1, failure(1, "one walrus"));
        LogDescriptor log = LogDescriptor.peer(
                Entry.Kind.FAILURE, replica(1), directory.resolve("data").resolve(log(1)));
        Path saved = directory.resolve("order");
        MergedFile first = new MergedFile(new NativeFileSystem(), () -> List.of(log), saved);
        Object key = Objects.requireNonNull(first.stat()).key();
        first.save();

        MergedFile second = new MergedFile(new NativeFileSystem(), () -> List.of(log), saved);

        assertThat(Objects.requireNonNull(second.stat()).length())
                .isEqualTo(Objects.requireNonNull(first.stat()).length());
        assertThat(Objects.requireNonNull(second.stat()).key())
                .as("their orders may differ")
                .isNotEqualTo(key);
    }

    @Test
    void search_sameLineInTwoReplicas_isOfTheFirstWhoeverCameFirst() throws IOException {
        publish(5, failure(1, "walrus copied"), failure(2, "walrus five"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(ids(store.search(WALRUS))).contains("2026-02-01-001@10000005");
            publish(2, failure(1, "walrus copied"));
            store.search(WALRUS);
            assertThat(ids(store.search(Query.words("walrus").limit(69))))
                    .containsExactlyInAnyOrder("2026-02-01-001@10000002", "2026-02-01-002@10000005");
            replace(2, failure(9, "nothing"));
            assertThat(ids(store.search(WALRUS)))
                    .as("its owner erased it, the other did not")
                    .containsExactlyInAnyOrder("2026-02-01-001@10000005", "2026-02-01-002@10000005");
        }
    }

    @Test
    void search_cursorOfAnotherProcess_goesOnAfterAnImport() throws IOException {
        for (int i = 1; i < 8; i++) {
            publish(i, failure(i, "walrus number " + i));
        }
        Query query = Query.words("walrus").limit(3);
        List<String> all = found();
        Page first;
        try (XMemStore store = Stores.in(directory)) {
            first = store.search(query);
        }
        publish(1, failure(30, "walrus of a later round"));
        publish(0, failure(31, "walrus of a new replica"));
        try (XMemStore store = Stores.in(directory)) {
            Page second = store.search(query.after(Objects.requireNonNull(first.cursor())));
            assertThat(ids(second)).isEqualTo(all.subList(3, 6));
            assertThat(store.search(WALRUS).total()).isEqualTo(9);
        }
    }

    @Test
    void search_lastLineWithoutEnd_isReadOnceAndAgainWhenItGoesOn() throws IOException {
        publish(1, failure(1, "walrus one"));
        Path file = directory.resolve("data").resolve(log(2));
        Files.createDirectories(file.getParent());
        String line = failure(2, "walrus two").replace('\'', '"');
        Files.writeString(file, line);
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.search(WALRUS).total()).isEqualTo(2);
            String next = failure(9, "walrus nine").replace('\'', '"');
            Stores.append(directory, log(2), "", failure(3, "walrus three"));
            Stores.appendRaw(directory, log(2), next.substring(0, 40));
            assertThat(store.search(WALRUS).total()).isEqualTo(3);
            Stores.appendRaw(directory, log(2), next.substring(40) + "\n");
            assertThat(ids(store.search(WALRUS)))
                    .contains("2026-02-01-009@10000002")
                    .hasSize(4);
        }
    }

    @Test
    void recall_oneReplicaPublishesThousands_theOthersAreStillTold() throws IOException {
        String[] lines = Stream.iterate(1, i -> i + 1)
                .limit(900)
                .map(i -> failure(i, "Failed: no section").replace("Avoid it", "Listen to me " + i))
                .toArray(String[]::new);
        publish(1, lines);
        publish(2, failure(1, "Failed: no section").replace("10:01", "09:00").replace("Avoid it", "Make a section"));
        try (XMemStore store = Stores.in(directory)) {
            assertThat(store.recall(
                                    ToolCall.shell("rclone sync x:y /mnt").session("s"),
                                    ToolError.exit(1, "Failed: didn't find section in config file"))
                            .matches())
                    .anyMatch(match -> match.entry().id().equals("2026-02-01-001@10000002"));
        }
    }
}
