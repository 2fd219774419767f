package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Loaders;
import dev.xmem.core.fixtures.UsedStore;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is loaded, uses a store, and is unloaded. */
class ClassLoaderTest {
    private static final Set<String> OF_THE_JDK = Set.of("Common-Cleaner", "process reaper");

    @TempDir
    Path folder;

    @Test
    void classLoader_usedAStoreAndLetGo_isCollected() throws Exception {
        useAndLetGo(9);
    }

    @Test
    @Tag("soak")
    void classLoaders_manyThatUsedAStore_areCollected() throws Exception {
        useAndLetGo(50);
    }

    /** Every seventh uses the store of an earlier one. */
    private void useAndLetGo(int times) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            loaders.add(useAndClose(folder.resolve("store-" + i % 7)));
        }
        // The JDK itself may keep the last used class loader until the next one is used.
        useAndClose(folder.resolve("store-0"));
        for (int i = 0; i < 100 && loaders.stream().anyMatch(loader -> loader.get() != null); i++) {
            collect();
        }
        assertThat(loaders).allMatch(loader -> loader.get() == null);
    }

    @Test
    void close_always_leavesNoThreadAndNoOpenLock() throws Exception {
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        Path directory = folder.resolve("store");
        try (URLClassLoader loader = Loaders.next()) {
            use(loader, directory);
            assertThat(openLocks(loader)).isEmpty();
            assertThat(System.getProperties()).doesNotContainKey("dev.xmem.parked-channels");
        }
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        after.removeIf(thread -> OF_THE_JDK.contains(thread.getName()) || !thread.isAlive());
        assertThat(after).isEmpty();
        delete(directory);
        assertThat(directory).doesNotExist();
    }

    private static WeakReference<ClassLoader> useAndClose(Path directory) throws Exception {
        try (URLClassLoader loader = Loaders.next()) {
            use(loader, directory);
            return new WeakReference<>(loader);
        }
    }

    @SuppressWarnings("unchecked")
    private static void use(ClassLoader loader, Path directory) throws ReflectiveOperationException {
        ((Consumer<Path>) Loaders.make(loader, UsedStore.class)).accept(directory);
    }

    private static Map<?, ?> openLocks(ClassLoader loader) throws ReflectiveOperationException {
        Field table = Class.forName("dev.xmem.core.base.io.InterProcessLock", true, loader)
                .getDeclaredField("OPEN");
        table.setAccessible(true);
        return (Map<?, ?>) table.get(null);
    }

    private static void collect() throws InterruptedException {
        List<byte[]> pressure = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            pressure.add(new byte[1 << 20]);
        }
        assertThat(pressure).hasSize(16);
        System.gc();
        Thread.sleep(20);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
