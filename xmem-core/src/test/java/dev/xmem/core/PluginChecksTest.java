package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.PluginException;
import dev.xmem.spi.TokenEstimator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plug-ins that return what their interface forbids. */
@SuppressWarnings("NullAway")
class PluginChecksTest {
    private static final ToolCall CALL = ToolCall.of("git", "push");
    private static final ToolError ERROR = ToolError.exit(1, "fatal: rejected");

    private record Hasher(String id, ContextHash result) implements ContextHasher {
        @Override
        public ContextHash hash(HashInput input) {
            return result;
        }
    }

    private record Estimator(int count) implements TokenEstimator {
        @Override
        public String id() {
            return "broken";
        }

        @Override
        public int estimate(CharSequence text) {
            return count;
        }
    }

    private record Vectors(Function<List<String>, List<float[]>> result, double floor) implements Embedder {
        @Override
        public String id() {
            return "broken";
        }

        @Override
        public List<float[]> embed(List<String> texts) {
            return result.apply(texts);
        }
    }

    private static void isRefused(ThrowingCallable call, Class<?> plugin, String method, String must) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(PluginException.class, e -> {
                    assertThat(e.plugin()).isEqualTo(plugin.getName());
                    assertThat(e.method()).isEqualTo(method);
                })
                .hasMessageContainingAll(plugin.getName() + "." + method, "must return " + must);
    }

    @Test
    void hasher_thatReturnsNull_isNamedByRecordAndRecall() {
        try (XMemStore store =
                XMem.inMemoryBuilder().hasher(new Hasher("broken", null)).open()) {
            isRefused(() -> store.recordFailure(Failure.of(CALL, ERROR)), Hasher.class, "hash", "a ContextHash");
            isRefused(() -> store.recall(CALL, ERROR), Hasher.class, "hash", "a ContextHash");
            assertThat(store.search(Query.all()).total()).isZero();
        }
    }

    @Test
    void hasher_withoutId_isNamedByOpen() {
        XMem.Builder builder = XMem.inMemoryBuilder().hasher(new Hasher(null, null));
        isRefused(builder::open, Hasher.class, "id", "a name of one line");
    }

    @Test
    void estimator_thatCountsBelowZero_isNamedByPagesAdviceAndStatistics() {
        try (XMemStore store = XMem.inMemoryBuilder().tokens(new Estimator(-1)).open()) {
            store.recordFailure(Failure.of(CALL, ERROR).patternAvoid("Pull first"));
            isRefused(() -> store.search(Query.all()), Estimator.class, "estimate", "0 or a positive number");
            isRefused(() -> store.recall(CALL, ERROR), Estimator.class, "estimate", "0 or a positive number");
            isRefused(() -> store.stats().text(), Estimator.class, "estimate", "0 or a positive number");
        }
    }

    @Test
    void redactor_thatReturnsNull_isNamedByRecordAndRecall() {
        try (XMemStore store = XMem.inMemoryBuilder().redactor(text -> null).open()) {
            assertThatThrownBy(() -> store.writeNote(Note.of("note", "x")))
                    .isInstanceOf(PluginException.class)
                    .hasMessageContainingAll("PluginChecksTest", ".redact() must return a text, not null");
            assertThatThrownBy(() -> store.recall(CALL, ERROR)).isInstanceOf(PluginException.class);
        }
    }

    static Stream<Arguments> embedders() {
        float[] sound = {1, 0};
        Function<List<String>, List<float[]>> ok =
                texts -> texts.stream().map(text -> sound).toList();
        return Stream.of(
                Arguments.of(new Vectors(texts -> null, 0.4), "embed", "a list of vectors"),
                Arguments.of(new Vectors(texts -> List.of(), 0.4), "embed", "one vector for each of 1 texts"),
                Arguments.of(new Vectors(texts -> listOfNull(texts.size()), 0.4), "embed", "a vector for each text"),
                Arguments.of(
                        new Vectors(texts -> List.of(new float[] {Float.NaN}), 0.4),
                        "embed",
                        "vectors of finite numbers"),
                Arguments.of(new Vectors(ok, Double.NaN), "floor", "a number from 0 to 1"),
                Arguments.of(new Vectors(ok, -1), "floor", "a number from 0 to 1"));
    }

    private static List<float[]> listOfNull(int size) {
        List<float[]> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(null);
        }
        return list;
    }

    @ParameterizedTest
    @MethodSource("embedders")
    void embedder_thatIsBroken_isNamedBySearch(Embedder embedder, String method, String must) {
        try (XMemStore store = XMem.inMemoryBuilder().embedder(embedder).open()) {
            store.writeNote(Note.of("note", "a walrus"));
            isRefused(() -> store.search(Query.words("walrus")), Vectors.class, method, must);
        }
    }

    @Test
    void embedder_withVectorsOfTwoDimensions_isNamedBySearch() {
        Embedder uneven = new Vectors(
                texts -> texts.stream().map(text -> new float[text.length()]).toList(), 0.4);
        try (XMemStore store = XMem.inMemoryBuilder().embedder(uneven).open()) {
            store.writeNote(Note.of("note", "a walrus"));
            store.writeNote(Note.of("note", "two walruses"));
            isRefused(() -> store.search(Query.words("walrus")), Vectors.class, "embed", "vectors of one dimension");
        }
    }

    @Test
    void guard_withBrokenPlugins_isUnavailableAndNeverThrows() {
        List<XMem.Builder> broken = List.of(
                XMem.inMemoryBuilder().hasher(new Hasher("broken", null)),
                XMem.inMemoryBuilder().redactor(text -> null));
        for (XMem.Builder builder : broken) {
            try (XMemStore store = builder.open()) {
                assertThat(store.guard().failed(CALL, ERROR).status()).isEqualTo(Advice.Status.UNAVAILABLE);
                store.guard().before(CALL);
                store.guard().succeeded(CALL);
                assertThat(store.guard().userSaid("s", "the same error again").isEmpty())
                        .isTrue();
            }
        }
    }
}
