package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that was closed leaves its folder alone, whatever was under way. */
class CloseTest {
    private static final int SEGMENT_LINES = 32;
    private static final int PATIENCE_MILLIS = 1_500;

    @TempDir
    Path directory;

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** A disk that is slow with the words of a segment: until the store is closed, or for a while. */
    private FileSystem disk() {
        NativeFileSystem real = new NativeFileSystem();
        return (FileSystem) Proxy.newProxyInstance(
                FileSystem.class.getClassLoader(), new Class<?>[] {FileSystem.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("replace")
                            && arguments[0].toString().endsWith(".text")) {
                        writing.countDown();
                        closed.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                    }
                    return call(real, method, arguments);
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(Path::toString).collect(Collectors.toSet());
        }
    }

    @Test
    void close_whileASearchWritesASegment_nothingIsWrittenAfterIt() throws Exception {
        XMemStore store = TestStores.withSegmentLines(TestStores.builder(directory, disk()), SEGMENT_LINES)
                .open();
        for (int i = 0; i <= SEGMENT_LINES; i++) {
            store.recordFailure(Failure.of("git", "push", "walrus " + i));
        }
        Thread asking = new Thread(() -> {
            try {
                store.search(Query.words("walrus"));
            } catch (XMemException e) {
                // it was closed meanwhile
            }
        });
        asking.start();
        writing.await();
        store.close();
        Set<String> before = files();
        closed.countDown();
        asking.join();
        assertThat(files()).isEqualTo(before);
    }
}
