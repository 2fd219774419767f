package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a store of 2,000 entries, against those of a reader of the files that shares no code with it. */
class IndependentReaderTest {
    private static final int ENTRIES = 2000;
    private static final int KEEPS = 100;
    private static final List<String> TOOLS = List.of("git", "npm", "rclone", "cargo", "docker", "Bash");
    private static final List<String> ERRORS = List.of(
            "fatal: The current branch topic%d has no upstream branch.",
            "Failed to create file system: didn't find section in config file",
            "error[E0308]: mismatched types in src/lib%d.rs",
            "npm ERR! code ERESOLVE\nnpm ERR! unable to resolve dependency tree",
            "permission denied: \"/var/run/docker%d.sock\"",
            "Ünïcode ошибка 失敗 \\ %d");

    @TempDir
    static Path directory;

    private static final List<Map<String, Object>> FAILURES = new ArrayList<>();
    private static final List<Map<String, Object>> SUCCESSES = new ArrayList<>();
    private static Map<String, Object> index;

    @BeforeAll
    static void recordAndRead() throws IOException {
        Random random = new Random(2026);
        try (XMemStore store = XMem.builder(directory).clock(ticking()).open()) {
            List<EntryDraft> batch = new ArrayList<>();
            for (int i = 0; i < ENTRIES; i++) {
                batch.add(draft(random, i));
                if (random.nextInt(KEEPS) == 0) {
                    store.recordAll(batch);
                    batch.clear();
                }
            }
            store.recordAll(batch);
        }
        read("failures.jsonl", FAILURES);
        read("successes.jsonl", SUCCESSES);
        index = object(new MiniJson(Files.readString(directory.resolve("data/index.json"))).whole());
    }

    /** A clock that advances a minute at every call, across midnight more than once. */
    private static InstantSource ticking() {
        Instant[] now = {Instant.parse("2026-02-14T23:00:00Z")};
        return () -> {
            now[0] = now[0].plusSeconds(60);
            return now[0];
        };
    }

    private static EntryDraft draft(Random random, int number) {
        String tool = TOOLS.get(random.nextInt(TOOLS.size()));
        String[] tags = tags(random);
        switch (random.nextInt(5)) {
            case 0:
                return Success.of(tool, "Pattern \"" + random.nextInt(50) + "\"")
                        .keySteps("one", "two\n" + number)
                        .tags(tags);
            case 1:
                return Note.of("fact", "a note, number " + number).tags(tags);
            default:
                String error = String.format(ERRORS.get(random.nextInt(ERRORS.size())), random.nextInt(9));
                return Failure.of(tool, "run-" + random.nextInt(4) + " --all", error)
                        .tags(tags);
        }
    }

    private static String[] tags(Random random) {
        LinkedHashSet<String> tags = new LinkedHashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            tags.add(List.of("config", "network", "sch\u00f6n", "a \"quoted\" tag", "build")
                    .get(random.nextInt(5)));
        }
        return tags.toArray(String[]::new);
    }

    private static void read(String log, List<Map<String, Object>> into) throws IOException {
        for (String line :
                Files.readString(directory.resolve("data").resolve(log)).split("\n")) {
            into.add(object(new MiniJson(line).whole()));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private static List<Map<String, Object>> both() {
        List<Map<String, Object>> both = new ArrayList<>(FAILURES);
        both.addAll(SUCCESSES);
        return both;
    }

    /** The ids of lines, newest first, those of one time the later line first. */
    private static List<String> newestFirst(List<Map<String, Object>> lines) {
        List<Map<String, Object>> reversed = new ArrayList<>(lines);
        Collections.reverse(reversed);
        reversed.sort(Comparator.comparing((Map<String, Object> line) -> Instant.parse((String) line.get("ts")))
                .reversed()
                .thenComparing(line -> (String) line.get("type")));
        return reversed.stream().map(line -> (String) line.get("id")).toList();
    }

    private static XMemStore open() {
        return XMem.builder(directory)
                .readOnly()
                .clock(() -> Instant.parse("2026-03-01T00:00:00Z"))
                .open();
    }

    private static List<String> all(XMemStore store, Query query) {
        List<String> ids = new ArrayList<>();
        Page page = store.search(query);
        ids.addAll(Stores.ids(page));
        while (page.cursor() != null) {
            page = store.search(query.after(page.cursor()));
            ids.addAll(Stores.ids(page));
        }
        assertThat(page.total()).isEqualTo(ids.size());
        return ids;
    }

    @Test
    void files_read_haveEveryEntryOnceWithRisingIds() {
        assertThat(both()).hasSizeBetween(ENTRIES / 2, ENTRIES);
        List<String> ids = both().stream().map(line -> (String) line.get("id")).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("2026-02-1\\d-\\d{3,}"));
        assertThat(FAILURES).extracting(line -> number((String) line.get("id"))).isSorted();
        assertThat(SUCCESSES)
                .extracting(line -> number((String) line.get("id")))
                .isSorted();
    }

    /** The day and the number of an id, as one number. */
    private static long number(String id) {
        return Long.parseLong(id.substring(8, 10)) * 1_000_000 + Long.parseLong(id.substring(11));
    }

    @Test
    void index_keys_areTheSixOfTheProtocol() {
        assertThat(index.keySet())
                .containsExactly(
                        "version", "last_updated", "total_entries", "tool_index", "tag_index", "ctx_hash_index");
        assertThat(index.get("version")).isEqualTo("1.0.0");
    }

    @Test
    void index_totals_equalTheLines() {
        assertThat(object(index.get("total_entries")))
                .containsEntry("failures", (double) FAILURES.size())
                .containsEntry("successes", (double) SUCCESSES.size());
        String last = both().stream()
                .map(line -> (String) line.get("ts"))
                .max(Comparator.comparing(Instant::parse))
                .orElseThrow();
        assertThat(Instant.parse((String) index.get("last_updated"))).isAfterOrEqualTo(Instant.parse(last));
    }

    @Test
    void index_tools_equalARecount() {
        Map<String, Object> expected = new TreeMap<>();
        for (String tool : TOOLS) {
            double failures = FAILURES.stream()
                    .filter(line -> tool.equals(line.get("tool")))
                    .count();
            double successes = SUCCESSES.stream()
                    .filter(line -> tool.equals(line.get("tool")))
                    .count();
            expected.put(tool, Map.of("failures", failures, "successes", successes));
        }
        assertThat(object(index.get("tool_index"))).isEqualTo(expected);
    }

    @Test
    void index_tags_equalARecount() {
        Map<String, Object> expected = new TreeMap<>();
        both().forEach(line ->
                list(line.get("tags")).forEach(tag -> expected.merge((String) tag, 1.0, (a, b) -> (double) a + 1)));
        assertThat(object(index.get("tag_index"))).isEqualTo(expected);
    }

    @Test
    void index_hashes_nameEveryEntryOfTheirs() {
        Map<String, List<Object>> expected = new TreeMap<>();
        both().forEach(line -> expected.computeIfAbsent((String) line.get("ctx_hash"), hash -> new ArrayList<>())
                .add(line.get("id")));
        Map<String, Object> found = object(index.get("ctx_hash_index"));
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((hash, ids) -> assertThat(list(found.get(hash))).containsExactlyInAnyOrderElementsOf(ids));
    }

    @Test
    void search_byToolTagAndHash_givesTheSameIds() {
        try (XMemStore store = open()) {
            for (String tool : TOOLS) {
                List<Map<String, Object>> lines = both().stream()
                        .filter(line -> tool.equals(line.get("tool")))
                        .toList();
                assertThat(all(store, Query.parse("tool=" + tool))).isEqualTo(newestFirst(lines));
            }
            for (String tag : List.of("config", "schön", "a \"quoted\" tag")) {
                List<Map<String, Object>> lines = both().stream()
                        .filter(line -> list(line.get("tags")).contains(tag))
                        .toList();
                Query query = Query.all().tag(tag).kind(Entry.Kind.FAILURE, Entry.Kind.SUCCESS);
                assertThat(all(store, query)).isEqualTo(newestFirst(lines));
            }
            for (String hash : hashes()) {
                List<Map<String, Object>> lines = both().stream()
                        .filter(line -> hash.equals(line.get("ctx_hash")))
                        .toList();
                assertThat(all(store, Query.parse("ctx_hash=" + hash))).isEqualTo(newestFirst(lines));
            }
        }
    }

    private static LinkedHashSet<String> hashes() {
        LinkedHashSet<String> hashes = new LinkedHashSet<>();
        both().forEach(line -> hashes.add((String) line.get("ctx_hash")));
        return hashes;
    }

    @Test
    void recall_ofStoredFailures_givesEntriesOfTheirHash() {
        try (XMemStore store = open()) {
            for (int i = 0; i < FAILURES.size(); i += 50) {
                Map<String, Object> line = FAILURES.get(i);
                String hash = (String) line.get("ctx_hash");
                Advice advice = store.recall(
                        ToolCall.shell(line.get("tool") + " " + line.get("action")),
                        ToolError.text((String) line.get("error")));
                List<String> expected = newestFirst(FAILURES.stream()
                        .filter(other -> hash.equals(other.get("ctx_hash")))
                        .toList());
                List<String> found = advice.matches().stream()
                        .map(match -> match.entry().id())
                        .toList();
                assertThat(expected).containsAll(found);
                assertThat(found).hasSize(Math.min(70, expected.size()));
                assertThat(found).contains(expected.get(0));
            }
        }
    }

    @Test
    void stats_ofTheStore_equalARecount() throws IOException {
        try (XMemStore store = open()) {
            Stats stats = store.stats();
            assertThat(stats.failures()).isEqualTo(FAILURES.size());
            assertThat(stats.successes()).isEqualTo(SUCCESSES.size());
            assertThat(stats.failures() + stats.successes() + stats.notes()).isEqualTo(ENTRIES);
            assertThat(stats.fileBytes())
                    .containsEntry("failures.jsonl", Files.size(directory.resolve("data/failures.jsonl")));
            Map<String, Object> tools = object(index.get("tool_index"));
            stats.topToolsByFailures(100)
                    .forEach((tool, n) -> assertThat(object(tools.get(tool))).containsEntry("failures", (double) n));
            Map<String, Object> tags = object(index.get("tag_index"));
            assertThat(stats.topTags(100)).hasSameSizeAs(tags);
            stats.topTags(100).forEach((tag, n) -> assertThat(tags).containsEntry(tag, (double) n));
        }
    }

    /** JSON by recursion on one position; numbers are doubles. */
    private static final class MiniJson {
        private final String text;
        private int at;

        MiniJson(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            space();
            assertThat(at).as("nothing after the value").isEqualTo(text.length());
            return value;
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private boolean take(char c) {
            space();
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private Object value() {
            if (take('{')) {
                return members();
            } else if (take('[')) {
                return items();
            } else if (take('"')) {
                return string();
            }
            int start = at;
            while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "null" -> "";
                case "true", "false" -> Boolean.valueOf(word);
                default -> Double.valueOf(word);
            };
        }

        private Map<String, Object> members() {
            Map<String, Object> members = new LinkedHashMap<>();
            while (!take('}')) {
                assertThat(members.isEmpty() || take(',')).isTrue();
                assertThat(take('"')).isTrue();
                String name = string();
                assertThat(take(':')).isTrue();
                assertThat(members.put(name, value())).as("a key occurs once").isNull();
            }
            return members;
        }

        private List<Object> items() {
            List<Object> items = new ArrayList<>();
            while (!take(']')) {
                assertThat(items.isEmpty() || take(',')).isTrue();
                items.add(value());
            }
            return items;
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            while (text.charAt(at) != '"') {
                char c = text.charAt(at++);
                out.append(c == '\\' ? escaped() : c);
            }
            at++;
            return out.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            if (c == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            int known = "nrtbf".indexOf(c);
            return known < 0 ? c : "\n\r\t\b\f".charAt(known);
        }
    }
}
