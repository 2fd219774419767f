package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Scan;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The options of the builder, and the exceptions of a closed store. */
class BuilderTest {
    @TempDir
    Path directory;

    @Test
    void memoryBounds_ofNothingOrMuch_changeNoAnswer() {
        for (long bytes : new long[] {0, 1, 1 << 20}) {
            try (XMemStore store = XMem.builder(directory)
                    .tailWindowBytes(bytes)
                    .cacheBytes(bytes)
                    .open()) {
                for (int i = 0; i < 300; i++) {
                    store.writeNote(Note.of("note", "walrus " + bytes + " " + i));
                }
                assertThat(store.search(Query.literal("walrus " + bytes + " 7")).total())
                        .isEqualTo(11);
            }
        }
        assertThatThrownBy(() -> XMem.builder(directory).tailWindowBytes(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> XMem.builder(directory).cacheBytes(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A hasher of a plug-in. */
    public static class OneHasher implements ContextHasher {
        @Override
        public String id() {
            return "one";
        }

        @Override
        public ContextHash hash(HashInput input) {
            return ContextHash.of(input.tool(), "by", "one");
        }
    }

    /** Another one. */
    public static final class OtherHasher extends OneHasher {
        @Override
        public ContextHash hash(HashInput input) {
            return ContextHash.of(input.tool(), "by", "other");
        }
    }

    /** An estimator of a plug-in. */
    public static final class SevenTokens implements TokenEstimator {
        @Override
        public String id() {
            return "seven";
        }

        @Override
        public int estimate(CharSequence text) {
            return text.isEmpty() ? 0 : 7;
        }
    }

    @Nested
    class Places {
        @Test
        void open_twoKindsInOneFile_isRefused() {
            XMem.Builder builder = XMem.builder(directory)
                    .log(Entry.Kind.NOTE, directory.resolve("all.jsonl"))
                    .log(Entry.Kind.FAILURE, directory.resolve("x/../all.jsonl"));
            assertThatThrownBy(builder::open)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("all.jsonl");
        }

        @Test
        void open_aKindInTheFileOfAnother_isRefused() {
            XMem.Builder builder =
                    XMem.builder(directory).log(Entry.Kind.NOTE, directory.resolve("data/failures.jsonl"));
            assertThatThrownBy(builder::open).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void log_ofOtherEntries_isRefused() {
            assertThatThrownBy(() -> XMem.builder(directory).log(Entry.Kind.UNKNOWN, directory.resolve("x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void log_elsewhere_isReadAndWritten(@TempDir Path elsewhere) throws IOException {
            Path journal = elsewhere.resolve("memory.jsonl");
            Files.writeString(journal, "{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"before\"}\n");
            try (XMemStore store =
                    XMem.builder(directory).log(Entry.Kind.NOTE, journal).open()) {
                store.writeNote(Note.of("note", "after"));
                assertThat(store.search(Query.all()).total()).isEqualTo(2);
            }
            assertThat(Files.readAllLines(journal)).hasSize(2);
            assertThat(directory.resolve("data/notes.jsonl")).doesNotExist();
        }

        @Test
        void open_aFileInTheWay_saysWhich() throws IOException {
            Path file = Files.writeString(directory.resolve("file"), "not a folder");
            assertThatThrownBy(() -> XMem.open(file))
                    .isInstanceOf(XMemException.Io.class)
                    .hasMessageContaining("file");
        }

        @Test
        void readOnly_anEmptyFolder_makesNoFile() throws IOException {
            try (XMemStore store = XMem.builder(directory).readOnly().open()) {
                assertThat(store.search(Query.all()).total()).isZero();
                assertThat(store.stats().failures()).isZero();
                assertThatThrownBy(() -> store.writeNote(Note.of("note", "x")))
                        .isInstanceOf(XMemException.Unsupported.class)
                        .hasMessageContaining("read-only");
            }
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files).isEmpty();
            }
        }

        @Test
        void tokenBudget_belowTheLeast_isRefused() {
            assertThatThrownBy(() -> XMem.builder(directory).tokenBudget(Query.MIN_TOKEN_BUDGET - 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("100");
        }

        @Test
        void tokenBudget_ofTheStore_isTheCeilingOfEveryQuery() {
            try (XMemStore store = XMem.inMemoryBuilder().tokenBudget(200).open()) {
                for (int i = 0; i < 30; i++) {
                    store.writeNote(Note.of("note", "a note of some length, number " + i));
                }
                assertThat(store.search(Query.all()).tokens()).isLessThanOrEqualTo(200);
                Page lifted = store.search(Query.all().tokenBudget(15_000));
                assertThat(lifted.tokens()).isBetween(100, 200);
                assertThat(lifted.text()).contains("\nThe budget was lowered to the store's, 200 tokens.\n");
                Page lowered = store.search(Query.all().tokenBudget(120));
                assertThat(lowered.tokens()).isLessThanOrEqualTo(120);
                assertThat(lowered.text()).doesNotContain("was lowered");
            }
        }
    }

    @Nested
    class Discovery {
        private ClassLoader plugins(Class<?> service, Class<?>... providers) throws IOException {
            Path services = Files.createDirectories(directory.resolve("plugins/META-INF/services"));
            Files.write(
                    services.resolve(service.getName()),
                    Arrays.stream(providers).map(Class::getName).toList());
            URL root = directory.resolve("plugins").toUri().toURL();
            return new URLClassLoader(new URL[] {root}, BuilderTest.class.getClassLoader());
        }

        private static String hash(XMem.Builder builder) {
            try (XMemStore store = builder.open()) {
                return store.recordFailure(Failure.of("git", "push", "fatal: no upstream"))
                        .ctxHash();
            }
        }

        private static String builtIn() {
            return hash(XMem.inMemoryBuilder());
        }

        @Test
        void discover_none_isTheBuiltIn() throws IOException {
            try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
                assertThat(hash(XMem.inMemoryBuilder().discover(empty))).isEqualTo(builtIn());
            }
        }

        @Test
        void discover_one_isUsed() throws IOException {
            ClassLoader plugins = plugins(ContextHasher.class, OneHasher.class);
            assertThat(hash(XMem.inMemoryBuilder().discover(plugins))).isEqualTo("git-by-one");
        }

        @Test
        void discover_oneEstimator_measuresPages() throws IOException {
            ClassLoader plugins = plugins(TokenEstimator.class, SevenTokens.class);
            try (XMemStore store = XMem.inMemoryBuilder().discover(plugins).open()) {
                store.writeNote(Note.of("note", "walrus"));
                assertThat(store.search(Query.all()).tokens()).isEqualTo(7);
            }
        }

        @Test
        void discover_two_isAnErrorThatNamesBoth() throws IOException {
            ClassLoader plugins = plugins(ContextHasher.class, OneHasher.class, OtherHasher.class);
            assertThatThrownBy(() -> XMem.inMemoryBuilder().discover(plugins).open())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(OneHasher.class.getName())
                    .hasMessageContaining(OtherHasher.class.getName());
        }

        @Test
        void discover_explicitOneBesideTwo_wins() throws IOException {
            ClassLoader plugins = plugins(ContextHasher.class, OneHasher.class, OtherHasher.class);
            assertThat(hash(XMem.inMemoryBuilder().discover(plugins).hasher(new OtherHasher())))
                    .isEqualTo("git-by-other");
        }

        @Test
        void open_withoutDiscover_asksNoClassLoader() throws IOException {
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(plugins(ContextHasher.class, OneHasher.class));
            try {
                assertThat(hash(XMem.inMemoryBuilder())).isNotEqualTo("git-by-one");
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    @Nested
    class Closed {
        private static final Map<Class<?>, Object> ARGUMENTS = Map.ofEntries(
                Map.entry(Failure.Draft.class, Failure.of("git", "push", "x")),
                Map.entry(Success.Draft.class, Success.of("git", "y")),
                Map.entry(Note.Draft.class, Note.of("note", "z")),
                Map.entry(Directive.Draft.class, Directive.rule(new Directive.Triple("a", "b", "c"))),
                Map.entry(List.class, List.of()),
                Map.entry(String.class, "2026-02-14-001"),
                Map.entry(Query.class, Query.all()),
                Map.entry(Scan.class, Scan.of("x")),
                Map.entry(ToolCall.class, ToolCall.shell("git push")),
                Map.entry(ToolError.class, ToolError.exit(1, "x")),
                Map.entry(Outcome.class, Outcome.WORKED),
                Map.entry(Amendment.class, Amendment.pin()),
                Map.entry(Set.class, Set.of()),
                Map.entry(Retention.class, Retention.defaults()),
                Map.entry(CompactionPlan.class, plan()),
                Map.entry(CompactionListener.class, (CompactionListener) share -> true),
                Map.entry(Path.class, Path.of("x")),
                Map.entry(Layer.class, Layer.USER),
                Map.entry(boolean.class, true),
                Map.entry(Duration.class, Duration.ofSeconds(1)));

        static Stream<Method> methods() {
            return Arrays.stream(XMemStore.class.getMethods())
                    .filter(method -> !Modifier.isStatic(method.getModifiers()))
                    .filter(method -> !Set.of("close", "guard").contains(method.getName()));
        }

        @ParameterizedTest
        @MethodSource("methods")
        void anyMethod_afterClose_throwsClosed(Method method) throws IllegalAccessException {
            XMemStore store = Stores.inMemory();
            store.close();
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(ARGUMENTS::get)
                    .toArray();
            assertThat(Arrays.stream(arguments).allMatch(Objects::nonNull)).isTrue();
            try {
                method.invoke(store, arguments);
                assertThat(method).as("did not throw").isNull();
            } catch (InvocationTargetException e) {
                assertThat(e.getCause())
                        .isInstanceOf(XMemException.Closed.class)
                        .hasMessageContaining("closed");
            }
        }

        @Test
        void close_again_doesNothing() {
            XMemStore store = Stores.in(directory);
            store.writeNote(Note.of("note", "walrus"));
            store.close();
            store.close();
            try (XMemStore again = Stores.in(directory)) {
                assertThat(again.search(Query.all()).total()).isEqualTo(1);
            }
        }

        @Test
        void close_oneOfTwoOnADirectory_leavesTheOther() {
            try (XMemStore other = Stores.in(directory)) {
                Stores.in(directory).close();
                other.writeNote(Note.of("note", "walrus"));
                assertThat(other.search(Query.all()).total()).isEqualTo(1);
            }
        }
    }

    private static CompactionPlan plan() {
        return (CompactionPlan) Proxy.newProxyInstance(
                BuilderTest.class.getClassLoader(),
                new Class<?>[] {CompactionPlan.class},
                (proxy, method, args) -> null);
    }

    @Nested
    class NotYet {
        private final XMemStore store = Stores.inMemory();

        private static void assertUnsupported(ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOf(XMemException.Unsupported.class)
                    .hasMessageMatching("(?s).*\\S+ \\S+ \\S+.*\\.");
        }

        @Test
        void syncAndOtherLayers_withoutThem_areUnsupported() {
            assertUnsupported(() -> store.sync(Duration.ofSeconds(1)));
            assertUnsupported(() -> store.search(Query.all().layer(Layer.USER)));
            assertUnsupported(() -> store.share("2026-02-14-001", Layer.USER));
        }

        @Test
        void alsoAsk_wrongLayers_areRefused() {
            XMem.Builder other = XMem.inMemoryBuilder();
            assertThatThrownBy(() -> XMem.inMemoryBuilder().alsoAsk(Layer.PROJECT, other))
                    .isInstanceOf(IllegalArgumentException.class);
            other.alsoAsk(Layer.TEAM, XMem.inMemoryBuilder());
            assertThatThrownBy(() -> XMem.inMemoryBuilder().alsoAsk(Layer.USER, other))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
