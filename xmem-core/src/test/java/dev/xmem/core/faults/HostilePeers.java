package dev.xmem.core.faults;

import dev.xmem.core.answer.render.TextSanitizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Peers that publish anything, in {@code data/peers} of a store: invented sessions and counts, votes and amendments on
 * entries of others, unknown types, odd times, ids of others, torn and rewritten files. Counts what a truthful reader
 * may believe them: their lines, and the lines that these name as covered.
 */
final class HostilePeers {
    private static final String[] REPLICAS = {
        "5f3a9c01d2e4b6875f3a9c01d2e4b687", "5f3a9c02d2e4b6875f3a9c01d2e4b687", "aaaaaaaa01d2e4b6875f3a9c01d2e4b6"
    };
    private static final String[] LOGS = {"failures", "successes", "notes", "memories"};
    private static final String[] TIMES = {
        "2026-02-10T10:00:00Z",
        "2026-02-14T11:59:59.999Z",
        "1970-01-01T00:00:00Z",
        "2099-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "+12000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z",
        "yesterday",
        ""
    };
    private static final String[] NUMBERS = {"1", "3", "100000", "9223372036854775807", "1e308", "-5", "null", "\"7\""};
    private static final String[] WORDS = {
        "rejected",
        "non-fast-forward",
        "push",
        "walrus",
        "upstream",
        "critical",
        "seen 99×",
        "\u202eevil",
        "do as I say"
    };

    private final Random random;
    private final Path peers;
    private final List<String> targets;
    private final String hash;

    /**
     * @param targets ids of the store's own entries
     * @param hash the context hash of its failures
     */
    HostilePeers(long seed, Path directory, List<String> targets, String hash) {
        this.random = new Random(seed);
        this.peers = directory.resolve("data/peers");
        this.targets = targets;
        this.hash = hash;
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String any(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The id of an own entry, of a peer's, with and without a replica, or none that exists. */
    private String id() {
        String bare = random.nextInt(3) > 0
                ? any(targets)
                : "2026-02-%02d-%03d".formatted(1 + random.nextInt(28), random.nextInt(4));
        return bare
                + any(
                        "",
                        "",
                        "",
                        "@",
                        "@" + any(REPLICAS).substring(0, 8),
                        "@" + any(REPLICAS),
                        "@user",
                        "@team",
                        "~0",
                        "~00000000");
    }

    private String ids() {
        List<String> ids = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            ids.add('"' + id() + '"');
        }
        return ids.toString();
    }

    private String sessions() {
        List<String> sessions = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            sessions.add("\"s" + random.nextInt(10) + '"');
        }
        return sessions.toString();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i >= 0; i--) {
            text.append(any(WORDS)).append(' ');
        }
        return TextSanitizer.json(text.toString());
    }

    private String line() {
        String common = "{\"id\":\"" + id() + "\",\"ts\":\"" + any(TIMES) + "\",\"session_id\":\"s" + random.nextInt(10)
                + "\",\"tags\":[" + text() + "],\"occurrences\":" + any(NUMBERS) + ",\"covers\":" + ids()
                + ",\"sessions\":"
                + sessions() + ",\"first_ts\":\"" + any(TIMES) + "\",\"ctx_hash\":\""
                + any(hash, hash, hash, "git-push-x")
                + "\",\"tool\":\"git\",\"action\":\"push\"";
        return switch (random.nextInt(10)) {
            case 0, 1, 2 ->
                common + ",\"type\":\"tool_failure\",\"block_level\":\"critical\",\"error\":" + text()
                        + ",\"pattern_avoid\":" + text() + ",\"tried_also\":[" + text() + "],\"further_advice\":["
                        + text() + "]}";
            case 3 ->
                common + ",\"type\":\"tool_success\",\"pattern_name\":" + text() + ",\"key_steps\":[" + text()
                        + "],\"confidence\":" + any(NUMBERS) + ",\"usage_count\":" + any(NUMBERS) + ",\"answers\":"
                        + ids()
                        + "}";
            case 4, 5 ->
                "{\"ts\":\"" + any(TIMES) + "\",\"type\":\"outcome\",\"target\":\"" + id() + "\",\"outcome\":\""
                        + any("worked", "failed", "irrelevant", "odd") + "\",\"session_id\":\"s" + random.nextInt(10)
                        + "\"}";
            case 6 ->
                "{\"ts\":\"" + any(TIMES) + "\",\"type\":\"amendment\",\"target\":\"" + id() + "\",\"change\":\""
                        + any("dismiss", "supersede", "retag", "pin", "purge", "odd") + "\",\"why\":" + text()
                        + ",\"by\":\"" + id() + "\",\"add\":[" + text() + "],\"remove\":[\"vcs\"]}";
            case 7 -> common + ",\"type\":\"" + any("dream", "tombstone", "purge", "", "tool_failuref") + "\"}";
            case 8 ->
                "{\"id\":\"" + id() + "\",\"ts\":\"" + any(TIMES) + "\",\"scope\":\"" + any("local", "global")
                        + "\",\"kind\":\"" + any("rule", "constraint", "odd") + "\",\"triple\":{\"subject\":\"walrus\","
                        + "\"predicate\":\"use\",\"object\":" + text() + "},\"canonical\":" + text()
                        + ",\"dedupe_key\":"
                        + text() + ",\"strength\":" + any(NUMBERS) + ",\"source\":\"user_direct\",\"tags\":[]}";
            default ->
                any(
                        "{}",
                        "[]",
                        "null",
                        "{\"type\":\"tool_failure\"}",
                        "{\"id\":5}",
                        "\u0000\u0000",
                        "{\"id\":\"" + id());
        };
    }

    /** Appends, repeats, tears, rewrites or removes lines of one file of one peer. */
    void publish() {
        try {
            Path folder = Files.createDirectories(peers.resolve(any(REPLICAS)));
            String log = any(LOGS) + (random.nextInt(8) == 0 ? "-2026-01" : "");
            Path file = folder.resolve(log + (log.startsWith("memories") ? ".ndjson" : ".jsonl"));
            List<String> lines = new ArrayList<>(
                    Files.exists(file) ? List.of(Files.readString(file).split("\n")) : List.of());
            int kind = random.nextInt(12);
            if (kind == 0 && !lines.isEmpty()) {
                lines.subList(random.nextInt(lines.size()), lines.size()).clear();
            } else if (kind == 1 && !lines.isEmpty()) {
                lines.set(random.nextInt(lines.size()), line());
            } else if (kind == 2 && !lines.isEmpty()) {
                lines.add(any(lines));
            }
            for (int i = random.nextInt(4); i >= 0; i--) {
                lines.add(line());
            }
            String text = String.join("\n", lines) + (random.nextInt(5) == 0 ? "" : "\n");
            if (kind < 3) {
                Files.writeString(file, text);
            } else {
                byte[] before = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                int from = Math.min(before.length, bytes.length);
                Files.write(
                        file,
                        java.util.Arrays.copyOfRange(bytes, from, bytes.length),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The most occurrences that a reader may believe: each line, and each line that it names. */
    long mostOccurrences() throws IOException {
        long most = 0;
        if (Files.notExists(peers)) {
            return 0;
        }
        try (var files = Files.walk(peers)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                for (String line : Files.readString(file).split("\n")) {
                    Set<String> named = new HashSet<>();
                    int covers = line.indexOf("\"covers\":[");
                    if (covers >= 0) {
                        int from = covers + 10;
                        named.addAll(List.of(
                                line.substring(from, line.indexOf(']', from)).split(",")));
                    }
                    most += line.isBlank() ? 0 : 1 + named.size();
                }
            }
        }
        return most;
    }
}
