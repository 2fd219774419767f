package dev.xmem.core.faults;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Opens and uses stores of one JVM, many after each other, then many at once, and compares what the process holds
 * before and after. The arguments are a folder and the two numbers.
 */
public final class ManyStores {
    private static final int FOLDERS = 20;
    private static final int SEGMENT_LINES = 16;
    private static final int WARM_UP = 20;
    private static final int PATIENCE = 200;
    private static final int HEAP_BYTES = 4 << 20;

    private final Path folder;

    private ManyStores(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /** What the process holds, as the operating system sees it. */
    private record Held(long files, long threads, long mappings, long heap) {
        static Held now(Path folder) throws IOException {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"));
                    Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                return new Held(
                        openFiles(folder),
                        threads.count(),
                        maps.filter(line -> line.contains(folder.toString())).count(),
                        runtime.totalMemory() - runtime.freeMemory());
            }
        }

        boolean isBack(Held before) {
            return threads <= before.threads && mappings == 0 && files == 0 && heap < before.heap + HEAP_BYTES;
        }

        private static long openFiles(Path folder) throws IOException {
            long files = 0;
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                for (Path descriptor : descriptors.toList()) {
                    try {
                        files += Files.readSymbolicLink(descriptor).startsWith(folder) ? 1 : 0;
                    } catch (IOException e) {
                        // closed since it was listed
                    }
                }
            }
            return files;
        }
    }

    /** Runs it; a third argument leaves a store open, so that a test can see that it would be noticed. */
    public static void main(String... args) throws Exception {
        ManyStores many = new ManyStores(Path.of(args[0]));
        int closed = Integer.parseInt(args[1]);
        int open = Integer.parseInt(args[2]);
        for (int i = 0; i < WARM_UP; i++) {
            try (XMemStore store = many.open(i)) {
                use(store);
            }
        }
        Held before = Held.now(many.folder);
        for (int i = 0; i < closed; i++) {
            try (XMemStore store = many.open(i % FOLDERS)) {
                use(store);
            }
        }
        if (args.length > 3) {
            use(many.open(0));
        }
        List<XMemStore> stores = new ArrayList<>();
        for (int i = 0; i < open; i++) {
            stores.add(many.open(i));
            use(stores.get(i));
        }
        Held most = Held.now(many.folder);
        stores.forEach(XMemStore::close);
        stores.clear(); // a mapping ends when its memory is collected
        Held after = many.settled(before);
        System.out.printf(
                "reliability: %,d stores one after another and %d at once: %s, then %s, then %s%n",
                closed, open, before, most, after);
        require(most.mappings > 0 && most.files > 0, "the stores held nothing: " + most);
        require(after.files == 0, after.files + " files are open");
        require(after.mappings == 0, after.mappings + " files are mapped");
        require(after.threads <= before.threads, after.threads + " threads, not " + before.threads);
        require(after.heap < before.heap + HEAP_BYTES, after.heap + " bytes of heap, not " + before.heap);
        System.exit(0);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /** Threads end soon after their last work, and then hold no store. */
    private Held settled(Held before) throws IOException, InterruptedException {
        Held now = Held.now(folder);
        for (int i = 0; i < PATIENCE && !now.isBack(before); i++) {
            Thread.sleep(50);
            now = Held.now(folder);
        }
        return now;
    }

    private XMemStore open(int number) {
        return TestStores.builder(folder.resolve("store" + number), SEGMENT_LINES)
                .guardLimit(Duration.ofSeconds(20))
                .sharedSessions()
                .random(new Random(number))
                .open();
    }

    /** Enough for segments, the guard's queue and the lock. */
    private static void use(XMemStore store) {
        String id = "";
        for (int i = 0; i < SEGMENT_LINES + 1; i++) {
            id = store.recordFailure(Failure.of("git", "push b" + i, "fatal: quota of Zürich " + i))
                    .id();
        }
        store.recordSuccess(Success.of("git", "gc").answers(id));
        store.search(Query.words("quota"));
        ToolCall call = ToolCall.shell("git push b3").session("s");
        store.guard().failed(call, ToolError.exit(1, "fatal: quota of Zürich 3"));
        store.guard().flush(Duration.ofSeconds(20));
        store.flush();
        store.search(Query.words("zürich"));
    }
}
