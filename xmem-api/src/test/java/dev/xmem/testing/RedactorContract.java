package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.Redactor;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/**
 * What a {@link Redactor} must hold to: it answers any text, always the same, and has nothing left to take away from what
 * it gave back. Extend it and say which redactor and, if you like, which texts it must not let through.
 */
public abstract class RedactorContract {
    /** For providers' tests. */
    protected RedactorContract() {}

    /** The redactor under test. */
    protected abstract Redactor redactor();

    /** Texts of which nothing may be left; none by default. */
    protected List<String> secrets() {
        return List.of();
    }

    /** Any text has an answer, and the answer stands. */
    @Property(tries = 500)
    protected void redact_anyText_answersTheSameAgain(@ForAll @StringLength(max = 400) String text) {
        String once = redactor().redact(text);
        assertThat(once).isNotNull().isEqualTo(redactor().redact(text));
        assertThat(redactor().redact(once)).isEqualTo(once);
    }

    /** An empty text stays empty. */
    @Test
    protected void redact_empty_isEmpty() {
        assertThat(redactor().redact("")).isEmpty();
    }

    /** No secret comes through, alone or amid other words. */
    @Test
    protected void redact_secrets_areGone() {
        for (String secret : secrets()) {
            assertThat(redactor().redact(secret)).doesNotContain(secret);
            assertThat(redactor().redact("before " + secret + " after")).doesNotContain(secret);
        }
    }

    /** A long text is answered. */
    @Test
    protected void redact_aMegabyte_answers() {
        assertThat(redactor().redact("a b=c\n".repeat(175_000))).isNotNull();
    }
}
