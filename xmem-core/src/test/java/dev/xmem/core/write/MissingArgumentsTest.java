package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.HashInput;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is null or blank is refused by its name. */
@SuppressWarnings("NullAway") // callers that do not check nulls
class MissingArgumentsTest {
    @Test
    void nullArgument_isNamed() {
        try (XMemStore store = Stores.inMemory()) {
            Map<String, List<ThrowingCallable>> calls = Map.of(
                    "draft",
                    List.of(() -> store.recordFailure(null), () -> store.writeNote(null), () -> store.remember(null)),
                    "batch",
                    List.of(() -> store.recordAll(null), () -> store.recordAll(Arrays.asList(Note.of("a", "b"), null))),
                    "tags",
                    List.of(
                            () -> Failure.of("a", "b", "c").tags("x", null),
                            () -> Success.of("a", "b").tags((String[]) null)),
                    "kinds",
                    List.of(() -> Query.all().kind((Entry.Kind) null)),
                    "words",
                    List.of(() -> Query.parse((String[]) null)),
                    "line",
                    List.of(() -> ToolCall.shell(null)),
                    "argv",
                    List.of(() -> ToolCall.command(null)),
                    "t",
                    List.of(() -> ToolError.thrown(null)),
                    "message",
                    List.of(() -> ToolError.text(null)));
            assertNamed(calls);
        }
    }

    @Test
    void nullInASetOrAnOption_isNamed() {
        try (XMemStore store = Stores.inMemory()) {
            XMem.Builder builder = XMem.inMemoryBuilder();
            assertNamed(Map.of(
                    "ids",
                    List.of(() -> store.purge(null), () -> store.purge(new HashSet<>(Arrays.asList("a", null)), true)),
                    "to",
                    List.of(() -> store.share("a", null)),
                    "add",
                    List.of(() -> Amendment.retag(new HashSet<>(Arrays.asList("a", null)), Set.of())),
                    "d",
                    List.of(() -> Retention.defaults().hotWindow(null)),
                    "file",
                    List.of(() -> builder.log(Entry.Kind.NOTE, null), () -> builder.globalDirectives(null)),
                    "memory",
                    List.of(() -> builder.readThrough(null)),
                    "interval",
                    List.of(() -> builder.syncInterval(null)),
                    "limit",
                    List.of(() -> builder.guardLimit(null)),
                    "timeout",
                    List.of(() -> builder.lockTimeout(null)),
                    "call",
                    List.of(() -> Failure.of(null, ToolError.text("x")), () -> HashInput.of(null))));
        }
    }

    private static void assertNamed(Map<String, List<ThrowingCallable>> calls) {
        calls.forEach((argument, all) -> all.forEach(call -> assertThatThrownBy(call)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(argument)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void blankTag_isRefused(String blank) {
        try (XMemStore store = Stores.inMemory()) {
            String id = store.writeNote(Note.of("note", "x").tags("a")).id();
            List<ThrowingCallable> calls = List.of(
                    () -> store.recordFailure(Failure.of("git", "push", "x").tags("a", blank)),
                    () -> store.writeNote(Note.of("note", "x").tags(blank)),
                    () -> store.recordAll(List.of(
                            JsonDraft.of("{\"type\":\"note\",\"content\":\"x\",\"tags\":[\"" + blank + "\"]}"))),
                    () -> store.amend(id, Amendment.retag(Set.of(blank), Set.of())));
            calls.forEach(call -> assertThatThrownBy(call)
                    .isInstanceOf(XMemException.Invalid.class)
                    .hasMessage("tags must not have an empty text."));
            assertThat(store.search(Query.all()).total()).isOne();
        }
    }
}
