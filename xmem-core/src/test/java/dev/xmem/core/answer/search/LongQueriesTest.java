package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Scan;
import dev.xmem.ToolCall;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A text of a MiB that a model asks with takes time in proportion to its length. The limits are loose for slow
 * machines; what takes quadratic time takes minutes and more.
 */
class LongQueriesTest {
    private static final int CHARS = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final XMemStore store = XMem.inMemory();

    @BeforeEach
    void record() {
        store.recordFailure(Failure.of("git", "push origin", "error: failed to push some refs"));
        store.writeNote(Note.of("note", "a/b"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static String text(String unit) {
        return unit.repeat(CHARS / unit.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"push ", "ß ", "/", "/a ", "a-", "x.y.z.", "\u0130", "\u0130= ", "\" "})
    void query_ofAMebibyte_isAnswered(String unit) {
        assertTimeoutPreemptively(LIMIT, () -> {
            store.search(Query.words(text(unit)));
            store.search(Query.words("/" + text(unit) + "x"));
            store.search(Query.literal(text(unit)));
            Query.words(text(unit)).toString();
            store.guard().rules(text(unit));
            ToolCall.shell(text(unit));
            try {
                store.search(Query.parse(text(unit)));
            } catch (XMemException.Syntax e) {
                assertThat(e).hasMessageContaining("character");
            }
        });
    }

    @Test
    void scan_forARegularExpressionOfAMebibyte_isRefused() {
        assertTimeoutPreemptively(
                LIMIT,
                () -> assertThatThrownBy(() -> store.scan(Scan.of(text("/"))))
                        .isInstanceOf(XMemException.Syntax.class)
                        .hasMessageContaining("1000 are allowed"));
    }

    /** The lower case of this letter is longer, for which the JDK takes quadratic time. */
    @Test
    void entry_withALongNameInSuchLetters_isRecordedFoundAndListed() {
        String name = "\u0130".repeat(120_000);
        assertTimeoutPreemptively(LIMIT, () -> {
            store.recordFailure(Failure.of(name, "push", "boo"));
            store.recordFailure(Failure.of("git", name, "kumquat"));
            assertThat(store.search(Query.all().tool(name)).total()).isOne();
            assertThat(store.search(Query.words("kumquat")).total()).isOne();
            assertThat(store.search(Query.all().tag(text("\u0130"))).total()).isZero();
            assertThat(store.search(Query.all().type(text("\u0130"))).total()).isZero();
        });
    }

    /** Only the beginning of a long literal selects the lines that are read. */
    @Test
    void literal_longerThanTheIndexReads_isFoundExactly() {
        String long1 = "word-part.a ".repeat(1_000) + "end one";
        String long2 = "word-part.a ".repeat(1_000) + "end two";
        store.writeNote(Note.of("note", long1));
        store.writeNote(Note.of("note", long2));
        assertThat(store.search(Query.literal(long2)).matches()).hasSize(1);
        assertThat(store.search(Query.literal(long2.substring(3))).matches()).hasSize(1);
    }
}
