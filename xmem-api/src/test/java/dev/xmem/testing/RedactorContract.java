package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.Redactor;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link Redactor}: it accepts any text, is deterministic and idempotent. A provider's test
 * extends it and returns the redactor and, optionally, texts that it must remove.
 */
public abstract class RedactorContract {
    /** Called by the tests of providers. */
    protected RedactorContract() {}

    /** The redactor under test. */
    protected abstract Redactor redactor();

    /** Texts that must be removed. Default: none. */
    protected List<String> secrets() {
        return List.of();
    }

    /** Any text has a result, which is the same each time and does not change when redacted again. */
    @Property(tries = 500)
    protected void redact_anyText_isDeterministicAndIdempotent(@ForAll @StringLength(max = 400) String text) {
        String once = redactor().redact(text);
        assertThat(once).isNotNull().isEqualTo(redactor().redact(text));
        assertThat(redactor().redact(once)).isEqualTo(once);
    }

    /** An empty text stays empty. */
    @Test
    protected void redact_empty_isEmpty() {
        assertThat(redactor().redact("")).isEmpty();
    }

    /** Every secret is removed, alone and between other words. */
    @Test
    protected void redact_secrets_areRemoved() {
        for (String secret : secrets()) {
            assertThat(redactor().redact(secret)).doesNotContain(secret);
            assertThat(redactor().redact("before " + secret + " after")).doesNotContain(secret);
        }
    }

    /** A long text has a result. */
    @Test
    protected void redact_megabyte_returns() {
        assertThat(redactor().redact("a b=c\n".repeat(175_000))).isNotNull();
    }
}
