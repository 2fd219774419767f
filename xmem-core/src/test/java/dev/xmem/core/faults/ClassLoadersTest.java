package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Json;
import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.fixtures.Loaders;
import dev.xmem.core.fixtures.LockOfALoader;
import dev.xmem.core.fixtures.RetryingWriter;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two class loaders of one JVM that use one store, beside another process: POSIX locks belong to the process. */
class ClassLoadersTest {
    @TempDir
    Path folder;

    private final URLClassLoader one = Loaders.next();
    private final URLClassLoader two = Loaders.next();

    @SuppressWarnings("unchecked")
    private static BiFunction<Path, Long, AutoCloseable> lock(ClassLoader loader) throws ReflectiveOperationException {
        return (BiFunction<Path, Long, AutoCloseable>) Loaders.make(loader, LockOfALoader.class);
    }

    /** Fails unless another process finds the lock taken, or free. */
    private void requireForOthers(Path file, boolean taken) throws Exception {
        try (Jvm other = Jvm.start(folder, List.of(), LockOfALoader.class, file, taken ? 1 : 0)) {
            other.succeeds();
        }
    }

    private static long openFiles(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(each -> {
                        try {
                            return Files.readSymbolicLink(each).equals(file);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    @Test
    void close_whileAnotherLoaderHoldsTheLock_keepsTheLockOfTheProcess() throws Exception {
        Path file = folder.toRealPath().resolve("lock");
        BiFunction<Path, Long, AutoCloseable> first = lock(one);
        try (AutoCloseable held = first.apply(file, 1_000L)) {
            assertThat(held).isNotNull();
            assertThat(first).hasToString("held");
            for (int i = 0; i < 3; i++) {
                BiFunction<Path, Long, AutoCloseable> late = lock(two);
                late.apply(file, 1L).close();
                assertThat(late).hasToString("not held");
            }
            requireForOthers(file, true);
        }
        requireForOthers(file, false);
        assertThat(openFiles(file)).isZero();
    }

    @Test
    void close_ofTheLoaderItself_keepsTheLockOfTheProcess() throws Exception {
        Path file = folder.toRealPath().resolve("sync.lock");
        try (AutoCloseable held = lock(one).apply(file, 1_000L)) {
            assertThat(held).isNotNull();
            try (URLClassLoader unloaded = Loaders.next()) {
                lock(unloaded).apply(file, 1L).close();
            }
            for (int i = 0; i < 20; i++) {
                System.gc();
                Thread.sleep(10);
            }
            requireForOthers(file, true);
        }
        assertThat(openFiles(file)).isZero();
    }

    @Test
    @SuppressWarnings("unchecked")
    void record_twoLoadersAndAProcess_giveEveryIdOnce() throws Exception {
        Path store = folder.resolve("store");
        Path printed = folder.resolve("ids");
        List<String> acknowledged = new ArrayList<>();
        try (Jvm process = Jvm.start(folder, List.of(), RetryingWriter.class, store, 5, printed)) {
            List<CompletableFuture<List<String>>> running = new ArrayList<>();
            for (Map.Entry<ClassLoader, Integer> each :
                    Map.<ClassLoader, Integer>of(one, 800, two, 3).entrySet()) {
                var writer =
                        (BiFunction<Path, Integer, List<String>>) Loaders.make(each.getKey(), RetryingWriter.class);
                running.add(CompletableFuture.supplyAsync(() -> writer.apply(store, each.getValue())));
            }
            for (CompletableFuture<List<String>> each : running) {
                acknowledged.addAll(each.join());
            }
            process.succeeds();
        }
        acknowledged.addAll(Files.readAllLines(printed));
        assertThat(acknowledged).doesNotHaveDuplicates();
        List<String> written = new ArrayList<>();
        for (Map<String, Object> line : Json.lines(store.resolve("data/failures.jsonl"))) {
            written.add((String) line.get("id"));
        }
        assertThat(written).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(openFiles(store.toRealPath().resolve(".xmem/lock"))).isZero();
    }
}
