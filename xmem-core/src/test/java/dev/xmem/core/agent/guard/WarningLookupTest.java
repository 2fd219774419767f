package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/**
 * The warnings that are looked up for an operation are those that all failures of the store give. Random stores have
 * entries of several forms: in sealed segments and in memory, with hashes of the built-in rules, of another hasher and
 * of other programs, of chains and wrappers, critical ones, and with votes.
 */
class WarningLookupTest {
    private static final List<String> LINES = List.of(
            "git push",
            "git push origin",
            "git push -u origin HEAD",
            "git fetch origin",
            "sudo git push",
            "git add x && git push",
            "npm test",
            "npm install left-pad",
            "make",
            "terraform apply -auto-approve");
    private static final List<String> ERRORS = List.of(
            "fatal: The current branch topic has no upstream branch.",
            "fatal: not a git repository (or any of the parent directories): .git",
            "error: failed to push some refs\n ! [rejected] main -> main (non-fast-forward)",
            "fatal: pathspec 'x' did not match any files",
            "sudo: a password is required",
            "npm ERR! code ENOENT\nnpm ERR! enoent Could not read package.json",
            "make: *** No rule to make target 'all'.  Stop.",
            "Error: Invalid value for variable");

    /** A hasher whose hashes do not begin with the operation of the call. */
    private static final class ReversedHasher implements ContextHasher {
        private final ContextHasher rules = new RuleBasedHasher();

        @Override
        public String id() {
            return "reversed";
        }

        @Override
        public ContextHash hash(HashInput input) {
            ContextHash hash = rules.hash(input);
            return ContextHash.of(hash.pattern().isEmpty() ? "call" : hash.pattern(), hash.action(), hash.tool());
        }
    }

    @Provide
    Arbitrary<Long> seeds() {
        return Arbitraries.longs();
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void before_anyStore_saysWhatAllFailuresSay(@ForAll("seeds") long seed) throws IOException {
        Random random = new Random(seed);
        Path directory = Files.createTempDirectory("xmem-warnings");
        try {
            List<Failure> failures = fill(directory, random);
            ContextHasher hasher = random.nextInt(3) == 0 ? new ReversedHasher() : new RuleBasedHasher();
            try (XMemStore store = builder(directory, hasher).open()) {
                for (int times = 0; times < 2; times++) { // the second time from memory
                    for (String line : LINES) {
                        ToolCall call = ToolCall.shell(line);
                        assertThat(store.guard().before(call).reason())
                                .as("%s with seed %s", line, seed)
                                .isEqualTo(expected(store, hasher, failures, call));
                    }
                    failures.add(record(store, random));
                    store.flush();
                }
            }
        } finally {
            delete(directory);
        }
    }

    private static XMem.Builder builder(Path directory, ContextHasher hasher) {
        return TestStores.builder(directory, 16).hasher(hasher).guardLimit(Duration.ofSeconds(60));
    }

    /** Fills a store in two openings with different hashers, and returns its failures in log order. */
    private static List<Failure> fill(Path directory, Random random) throws IOException {
        List<Failure> failures = new ArrayList<>();
        for (ContextHasher hasher : List.of(new RuleBasedHasher(), new ReversedHasher())) {
            try (XMemStore store = builder(directory, hasher).open()) {
                for (int i = random.nextInt(28); i > 0; i--) {
                    Failure failure = record(store, random);
                    failures.add(failure);
                    if (random.nextInt(8) == 0) {
                        store.reportOutcome(
                                failure.id(),
                                random.nextBoolean() ? dev.xmem.Outcome.WORKED : dev.xmem.Outcome.FAILED,
                                "v" + i);
                    }
                }
            }
            if (random.nextBoolean()) {
                failures.addAll(foreign(directory, hasher instanceof ReversedHasher ? 1 : 0, random));
            }
        }
        return failures;
    }

    private static Failure record(XMemStore store, Random random) {
        ToolCall call = ToolCall.shell(LINES.get(random.nextInt(LINES.size()))).session("session-" + random.nextInt(6));
        String error = ERRORS.get(random.nextInt(ERRORS.size()));
        Failure.Draft draft = Failure.of(call, ToolError.exit(1, error));
        if (random.nextInt(4) > 0) {
            draft = draft.patternAvoid("Lesson " + random.nextInt(5));
        }
        if (random.nextInt(6) == 0) {
            draft = draft.blockLevel(Failure.BlockLevel.CRITICAL);
        }
        return store.recordFailure(draft);
    }

    /** Lines of another program, with context hashes of its own; the tens of their day make their ids unique. */
    private static List<Failure> foreign(Path directory, int tens, Random random) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            String id = "2026-01-%d%d-%d".formatted(tens, 1 + i, 100 + random.nextInt(800));
            lines.append("{\"id\":\"" + id + "\",\"ts\":\"2026-01-01T00:00:0" + i + "Z\",\"type\":\"tool_failure\","
                    + "\"tool\":\"git\",\"action\":\"push\",\"error\":\"no\",\"pattern_avoid\":\"Do.\","
                    + "\"ctx_hash\":\"mine-" + random.nextInt(2) + "\",\"session_id\":\"other-" + i + "\"}\n");
        }
        Files.writeString(
                directory.resolve("data/failures.jsonl"), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        List<Failure> failures = new ArrayList<>();
        try (XMemStore store = XMem.builder(directory).readOnly().open()) {
            for (String line : lines.toString().lines().toList()) {
                failures.add((Failure) store.find(line.substring(7, 21)).orElseThrow());
            }
        }
        return failures;
    }

    /** The reason that all failures give, each compared with the operation of the call. */
    private static String expected(XMemStore store, ContextHasher hasher, List<Failure> failures, ToolCall call) {
        String operation = operation(hasher, call.tool(), call.action());
        String shape = FailureGroup.shape(call.tool(), call.action());
        Map<String, List<Failure>> families = new LinkedHashMap<>();
        for (Failure failure : failures) {
            if (operation(hasher, failure.tool(), failure.action()).equals(operation)) {
                families.computeIfAbsent(failure.ctxHash(), hash -> new ArrayList<>())
                        .add(failure);
            }
        }
        int total =
                families.values().stream().mapToInt(WarningLookupTest::sessions).sum();
        return families.entrySet().stream()
                .filter(family -> sessions(family.getValue()) >= 2 && sessions(family.getValue()) >= 0.6 * total)
                .filter(family -> family.getValue().stream()
                        .anyMatch(one ->
                                FailureGroup.shape(one.tool(), one.action()).equals(shape)))
                .filter(family -> helps(store, family.getValue()))
                .findFirst()
                .map(family ->
                        "such calls failed in " + sessions(family.getValue()) + " sessions as " + family.getKey())
                .orElse("no warning is known for this call");
    }

    private static String operation(ContextHasher hasher, String tool, String action) {
        return hasher.hash(HashInput.of(tool, action)).value();
    }

    private static int sessions(List<Failure> family) {
        Set<String> sessions = new HashSet<>();
        family.forEach(failure -> sessions.addAll(StoredEntries.sessionsOrItself(failure)));
        return sessions.size();
    }

    private static boolean helps(XMemStore store, List<Failure> family) {
        Failure newest = family.get(family.size() - 1);
        boolean critical = family.stream().anyMatch(failure -> failure.blockLevel() == Failure.BlockLevel.CRITICAL);
        Advice advice = store.recall(ToolCall.of(newest.tool(), newest.action()), FailureGroup.error(newest));
        boolean lesson = advice.matches().stream().map(Match::entry).anyMatch(WarningLookupTest::isLesson);
        return advice.status() == Advice.Status.FOUND && !advice.isEmpty() && (lesson || critical);
    }

    private static boolean isLesson(@Nullable Entry entry) {
        return entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
