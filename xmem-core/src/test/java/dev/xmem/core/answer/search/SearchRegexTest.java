package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Query;
import dev.xmem.XMemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries a regular expression matches, hostile expressions included. */
class SearchRegexTest extends SearchFixture {
    @Test
    void regex_anchors_areThoseOfOneField() {
        String id = failure("git", "fatal: no walrus");
        failure("git", "it was fatal: no walrus");
        assertThat(search(Query.regex("^fatal"))).containsExactly(id);
        assertThat(search(Query.regex("^git$"))).hasSize(2);
        assertThat(search(Query.regex("git.*walrus"))).isEmpty();
    }

    @Test
    void regex_alternativesClassesAndFlags_work() {
        String timeout = note("connect ETIMEDOUT 10.0.0.1:443");
        String refused = note("connect ECONNREFUSED 10.0.0.2:80");
        assertThat(search(Query.regex("ETIMEDOUT|ECONNRESET"))).containsExactly(timeout);
        assertThat(search(Query.regex("10\\.0\\.0\\.[12]:\\d{2,3}"))).containsExactlyInAnyOrder(timeout, refused);
        assertThat(search(Query.regex("(?i)econnrefused"))).containsExactly(refused);
        assertThat(search(Query.regex("econnrefused"))).isEmpty();
        assertThat(search(Query.regex("E[A-Z]+(?= 10\\.0\\.0\\.2)"))).containsExactly(refused);
    }

    @Test
    void regex_textThatTheLineEscapes_isFound() {
        String id = note("C:\\temp says \"no\"\nagain");
        assertThat(search(Query.regex("temp says \"no\"\\s+again"))).containsExactly(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(.*a){20}$", "(a|aa)+$", "(a*)*$", "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaa$b"})
    void regex_hostilePattern_endsWithATypedError(String pattern) {
        note("a".repeat(3000) + "!");
        note("a".repeat(2000) + "!");
        assertThatThrownBy(() -> store.search(Query.regex(pattern)))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageMatching("(?s).*(regular expression|match nothing).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+$", "([a-z]+)*$", "(a|a|a)*b", "(x+x+)+y", "(?:a?){30}a{30}b", "\\1(a)", "(?>a+)+$"})
    void regex_strangePattern_endsWithAnAnswerOrATypedError(String pattern) {
        note("a".repeat(300) + "!");
        try {
            assertThat(store.search(Query.regex(pattern)).total()).isBetween(0L, 1L);
        } catch (XMemException.Syntax e) {
            assertThat(e).hasMessageMatching("(?s).*(regular expression|match nothing).*");
        }
    }

    @Test
    void regex_tooLong_saysHowLongItMayBe() {
        assertThatThrownBy(() -> store.search(Query.regex("a".repeat(1001))))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("1001")
                .hasMessageContaining("1000");
    }

    @Test
    void regex_thatDoesNotCompile_saysWhere() {
        note("walrus");
        assertThatThrownBy(() -> store.search(Query.regex("wal(rus")))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isBetween(3, 7));
    }

    @Test
    void regex_afterAnError_theStoreGoesOn() {
        String id = note("walrus");
        assertThatThrownBy(() -> store.search(Query.regex("["))).isInstanceOf(XMemException.Syntax.class);
        assertThat(search(Query.regex("w.lrus"))).containsExactly(id);
    }
}
