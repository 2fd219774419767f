package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One import at a time, in a process and among processes. */
class ImportLogTest {
    /** Tries to open the log in another process. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] args) throws IOException {
            System.out.print(ImportLog.open(Path.of(args[0])) == null ? "refused" : "opened");
        }
    }

    private static String inAnotherProcess(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opener.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    /** On POSIX systems, closing any channel of a file releases the process's lock of it. */
    @Test
    void open_refusedInTheSameProcess_keepsTheLockAgainstOthers(@TempDir Path folder) throws Exception {
        try (ImportLog log = ImportLog.open(folder)) {
            assertThat(log).isNotNull();
            assertThat(ImportLog.open(folder)).isNull();

            assertThat(inAnotherProcess(folder)).isEqualTo("refused");
        }
        assertThat(inAnotherProcess(folder)).isEqualTo("opened");
    }

    /** An interrupt during a write closes the channel. */
    @Test
    void close_afterAnInterruptedWrite_givesTheFileUpOnce(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.lock");
        LockedFile first = Objects.requireNonNull(LockedFile.tryLock(file));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> first.write("x")).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        first.close();
        try (LockedFile next = LockedFile.tryLock(file)) {
            assertThat(next).isNotNull();
            first.close();
            assertThat(LockedFile.tryLock(file)).isNull();
        }
    }

    /** Locks a file through the classes of its own loader. */
    public static final class Locker implements Function<Path, AutoCloseable> {
        @Override
        public @Nullable AutoCloseable apply(Path file) {
            try {
                return LockedFile.tryLock(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Function<Path, AutoCloseable> locker(URLClassLoader loader) throws ReflectiveOperationException {
        Class<?> loaded = Class.forName(Locker.class.getName(), true, loader);
        assertThat(loaded).isNotSameAs(Locker.class);
        return (Function<Path, AutoCloseable>) loaded.getConstructor().newInstance();
    }

    private static URLClassLoader loader() {
        URL[] parts = Stream.of(Locker.class, LockedFile.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        return new URLClassLoader(parts, ClassLoader.getPlatformClassLoader());
    }

    @ParameterizedTest
    @ValueSource(strings = {"imports.lock", "../folder/imports.lock", "link/imports.lock", "hard"})
    void tryLock_ofAnotherClassLoader_keepsTheLockAgainstOthers(String name, @TempDir Path parent) throws Exception {
        Path folder = Files.createDirectory(parent.resolve("folder"));
        Files.createSymbolicLink(folder.resolve("link"), folder);
        Path file = folder.resolve("imports.lock");
        try (URLClassLoader one = loader();
                URLClassLoader two = loader()) {
            try (AutoCloseable held = locker(one).apply(file)) {
                assertThat(held).isNotNull();
                Files.createLink(folder.resolve("hard"), file);
                assertThat(locker(two).apply(folder.resolve(name))).isNull();
                assertThat(inAnotherProcess(folder)).isEqualTo("refused");
            }
            try (AutoCloseable free = locker(two).apply(file)) {
                assertThat(free).isNotNull();
                assertThat(locker(one).apply(file)).isNull();
            }
        }
        assertThat(inAnotherProcess(folder)).isEqualTo("opened");
    }
}
