package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A model of hostile peers: whatever they publish, in any order, the store says of its own entries what the same store
 * says without peers, and it believes of the peers' no more than their lines.
 */
class HostilePeersTest {
    private static final ToolCall CALL = ToolCall.shell("git push origin main").session("me");
    private static final ToolError ERROR = ToolError.exit(1, "! [rejected] main -> main (non-fast-forward)");
    private static final Pattern QUOTED = Pattern.compile("“[^”\n]*(?:”|…)");
    private static final Pattern BY_PEERS = Pattern.compile("(\\d+)× by peers");
    private static final Pattern OWN_SEEN = Pattern.compile("(?m)^seen (\\d+)×( in \\d+ sessions)?");

    @TempDir
    Path folder;

    @Test
    void ownAnswers_whateverPeersPublish_areThoseWithoutPeers() throws IOException {
        run(0, 100);
    }

    @Test
    @Tag("soak")
    void ownAnswers_whateverPeersPublishForLong_areThoseWithoutPeers() throws IOException {
        run(1_000, Integer.getInteger("xmem.soak.peers", 10_000));
    }

    private void run(int from, int sequences) throws IOException {
        for (int seed = from; seed < from + sequences; seed++) {
            Path store = folder.resolve("seed-" + seed);
            sequence(seed, store);
            try (Stream<Path> files = Files.walk(store)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static XMemStore open(Path directory) {
        return XMem.builder(directory)
                .clock(InstantSource.fixed(Stores.NOW))
                .guardLimit(Duration.ofSeconds(60))
                .open();
    }

    /** Adds entries to a store; their number, their levels and the votes depend on a number. */
    private static List<String> recordOwn(Path directory, int seed) {
        List<String> ids = new ArrayList<>();
        try (XMemStore store = open(directory)) {
            for (int i = 0; i < seed % 4; i++) {
                Failure.Draft draft = Failure.of("git", "push origin main", ERROR.text())
                        .sessionId("own" + i)
                        .patternAvoid("Pull with rebase before the push, variant " + i)
                        .tags("vcs");
                ids.add(store.recordFailure(seed / 4 % 2 == 0 ? draft : draft.blockLevel(Failure.BlockLevel.CRITICAL))
                        .id());
            }
            ids.add(store.recordFailure(Failure.of("npm", "ci", "walrus refused the upstream"))
                    .id());
            ids.add(store.recordSuccess(Success.of("git", "Push after a rebase")
                            .keySteps("git pull --rebase", "git push")
                            .sessionId("own0"))
                    .id());
            store.writeNote(Note.of("note", "the walrus lives upstream"));
            store.remember(Directive.parse("never push to main"));
            for (int i = 0; i < seed / 8 % 6; i++) {
                store.reportOutcome(ids.get(0), seed / 48 % 2 == 0 ? Outcome.FAILED : Outcome.WORKED, "voter" + i);
            }
        }
        return ids;
    }

    /** What a store says of its own entries; without the scores, which depend on all lines. */
    private record Said(
            Map<String, String> lines,
            List<String> newest,
            Map<String, List<String>> found,
            List<String> recalled,
            Advice.Status status,
            String seen,
            Failure.BlockLevel level,
            Failure.BlockLevel warned,
            boolean critical) {}

    private static List<String> own(Page page) {
        return page.matches().stream()
                .map(match -> match.entry().id())
                .filter(id -> id.indexOf('@') < 0)
                .toList();
    }

    private static Said said(XMemStore store, List<String> ids) {
        Map<String, String> lines = new TreeMap<>();
        for (String id : ids) {
            lines.put(id, store.find(id).map(Entry::json).orElse("missing"));
        }
        Query all = Query.all().limit(Query.MAX_ENTRIES).order(Query.Order.NEWEST);
        List<String> newest = new ArrayList<>();
        for (Page page = store.search(all); ; page = store.search(all.after(page.cursor()))) {
            newest.addAll(own(page));
            if (page.cursor() == null) {
                break;
            }
        }
        Map<String, List<String>> found = new TreeMap<>();
        for (Query query : List.of(
                Query.all().tag("vcs").limit(Query.MAX_ENTRIES),
                Query.all().kind(Entry.Kind.DIRECTIVE),
                Query.all().session("own0").limit(Query.MAX_ENTRIES))) {
            found.put(
                    query.toString(), own(store.search(query)).stream().sorted().toList());
        }
        Advice advice = store.recall(CALL, ERROR);
        List<String> recalled = advice.matches().stream()
                .map(match -> match.entry().id())
                .filter(id -> id.indexOf('@') < 0)
                .toList();
        String said = QUOTED.matcher(advice.text()).replaceAll("");
        Matcher seen = OWN_SEEN.matcher(said);
        String ownSeen = seen.find() && !said.startsWith(" by peers", seen.end()) ? seen.group() : "";
        Advice.Status status = recalled.isEmpty() ? Advice.Status.NOTHING_RELEVANT : advice.status();
        store.guard();
        store.flush();
        boolean critical = Pattern.compile("Entry: [^@\n]*\\([^)\n]*critical\\)")
                .matcher(store.search(Query.all().layout(Query.Layout.CARDS)).text())
                .find();
        return new Said(
                lines,
                newest,
                found,
                recalled,
                status,
                ownSeen,
                advice.level(),
                store.guard().before(CALL).level(),
                critical);
    }

    private static String hash() {
        try (XMemStore store = XMem.inMemory()) {
            return store.recordFailure(Failure.of("git", "push origin main", ERROR.text()))
                    .ctxHash();
        }
    }

    private static void sequence(int seed, Path directory) throws IOException {
        List<String> ids = recordOwn(directory, seed);
        String hash;
        Said alone;
        try (XMemStore store = open(directory)) {
            alone = said(store, ids);
            hash = hash();
        }
        HostilePeers peers = new HostilePeers(seed, directory, ids, hash);
        try (XMemStore open = open(directory)) {
            for (int step = 0; step < 6; step++) {
                peers.publish();
                if (step == 3) {
                    open.search(Query.words("rejected")); // a store that stays open sees them as they come
                }
            }
            compare(seed, open, ids, alone, peers);
        }
        try (XMemStore again = open(directory)) {
            compare(seed, again, ids, alone, peers);
            Failure mine = again.recordFailure(Failure.of("make", "all", "no rule"));
            assertThat(mine.id()).as("seed %s", seed).startsWith("2026-02-14-");
            assertThat(ids).as("seed %s", seed).doesNotContain(mine.id());
            assertThat(again.verify().findings()).as("seed %s", seed).isNotNull();
        }
    }

    private static void compare(int seed, XMemStore store, List<String> ids, Said alone, HostilePeers peers)
            throws IOException {
        Said with = said(store, ids);
        String text = QUOTED.matcher(store.recall(CALL, ERROR).text()).replaceAll("");
        assertThat(with).as("seed %s\n%s", seed, text).isEqualTo(alone);
        Matcher byPeers = BY_PEERS.matcher(text);
        if (byPeers.find()) {
            assertThat(Long.parseLong(byPeers.group(1)))
                    .as("seed %s\n%s", seed, text)
                    .isBetween(1L, peers.mostOccurrences());
        }
    }
}
