package dev.xmem.core.faults;

import dev.xmem.Query;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.store.terms.FieldBoost;
import dev.xmem.core.store.terms.ForwardIndex;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store of any content takes of the heap, in JVMs with a small one. */
class SmallHeapTest {
    private static final int SEGMENT_LINES = 1 << 15;

    @TempDir
    Path directory;

    @Test
    void verify_of900KilobytesOfEmptyObjects_endsIn64MiB() throws Exception {
        Stores.appendRaw(directory, "failures.jsonl", "{}\n".repeat(300_000));
        try (Jvm jvm = Jvm.start(directory, List.of("-Xmx64m"), Verifier.class, directory)) {
            jvm.succeeds();
        }
    }

    @Test
    void firstSearchAndVerify_overManyEntries_endIn64MiB() throws Exception {
        search(2 * SEGMENT_LINES + 1_000);
    }

    @Test
    @Tag("soak")
    void firstSearchAndVerify_over300000Entries_endIn64MiB() throws Exception {
        search(300_000);
    }

    /** The caches of the analysis have a share of the heap: in a large one they would take more than this one has. */
    @Test
    void analysis_ofManyLongNames_endsIn10MiB() throws Exception {
        try (Jvm jvm = Jvm.start(directory, List.of("-Xmx10m"), Names.class)) {
            jvm.succeeds();
        }
    }

    /** In the other JVM: indexes names of few words, more than any cache of the analysis has room for. */
    static final class Names {
        private static final int LINES = 400;

        private Names() {}

        public static void main(String[] arguments) {
            ForwardIndex index = new ForwardIndex(LINES);
            Random random = new Random(7);
            for (int line = 0; line < LINES; line++) {
                index.add(line, fields -> {
                    for (int i = 0; i < 200; i++) {
                        String name = name(random);
                        fields.text(FieldBoost.TEXT, name);
                        fields.text(FieldBoost.TEXT, name);
                    }
                });
            }
        }

        private static String name(Random random) {
            StringBuilder name = new StringBuilder("w0");
            for (int k = 0; k < 24; k++) {
                name.append("-w").append(random.nextInt(100));
            }
            return name.toString();
        }
    }

    private void search(int entries) throws IOException, InterruptedException {
        Random random = new Random(7);
        Path log = Files.createDirectories(directory.resolve("data")).resolve("failures.jsonl");
        try (BufferedWriter out = Files.newBufferedWriter(log)) {
            for (int i = 0; i < entries; i++) {
                StringBuilder error = new StringBuilder();
                for (int k = 0; k < 12; k++) {
                    int word = 10_000 + random.nextInt(1 + random.nextInt(8_000));
                    error.append(Integer.toString(word, 36)).append(' ');
                }
                out.write("{\"id\":\"2026-01-01-%03d\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\","
                        .formatted(i == entries - 1 ? 0 : i)); // the last one repeats the id of the first
                out.write("\"tool\":\"t%d\",\"error\":\"%s in /srv/a%d/file%d.py line 0x%08x\",\"ctx_hash\":\"h%d\"}\n"
                        .formatted(i % 40, error, random.nextInt(8_000), i, random.nextInt(), i % 5_000));
            }
        }
        try (Jvm jvm = Jvm.start(directory, List.of("-Xmx64m"), Searcher.class, directory, entries)) {
            jvm.succeeds();
        }
    }

    /** In the other JVM: searches in words, in texts, and again, in a store that has no index, and verifies it. */
    static final class Searcher {
        private Searcher() {}

        public static void main(String[] arguments) {
            try (XMemStore store = XMem.open(Path.of(arguments[0]))) {
                for (Query query :
                        List.of(Query.words("line file7"), Query.literal("/file7.py"), Query.words("file8"))) {
                    if (store.search(query).matches().isEmpty()) {
                        throw new AssertionError(query + " finds nothing");
                    }
                }
                List<String> findings = store.verify().findings();
                if (findings.size() != 1 || !findings.get(0).contains("000 is also in failures.jsonl at byte 0")) {
                    throw new AssertionError(findings);
                }
                if (store.stats().failures() != Integer.parseInt(arguments[1])) {
                    throw new AssertionError(store.stats().failures());
                }
            }
        }
    }

    /** In the other JVM: verifies a store whose lines have three findings each. */
    static final class Verifier {
        private Verifier() {}

        public static void main(String[] arguments) {
            try (XMemStore store = XMem.open(Path.of(arguments[0]))) {
                VerifyReport report = store.verify();
                if (report.count() != 3 * report.lines() || report.findings().size() != 3 * 21) {
                    throw new AssertionError(report.findings());
                }
            }
        }
    }
}
