package dev.xmem.spi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.testing.ContextHasherContract;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The contract accepts a simple hasher and rejects invalid ones. */
final class ContextHasherContractTest {
    @Test
    @ResourceLock(Resources.LOCALE)
    void contract_plainHasher_passes() {
        ContextHasherContract contract = with(
                "plain",
                input -> ContextHash.of(input.tool(), "run", input.error().isEmpty() ? "" : "failed"));
        assertThatCode(() -> {
                    contract.id_always_notBlankAndStable();
                    contract.hash_anyFailure_slug("\0", "İ", "\uD83D");
                    contract.hash_beforeTheCall_operation("git", "push");
                    contract.hash_mebibyte_slug();
                    contract.hash_manyThreads_sameResults();
                    contract.hash_otherDefaultLocale_sameResults();
                })
                .doesNotThrowAnyException();
    }

    @Test
    @ResourceLock(Resources.LOCALE)
    @SuppressWarnings("StringCaseLocaleUsage")
    void contract_badHasher_fails() {
        assertFails(() -> with("", input -> ContextHash.of("a", "b", "")).id_always_notBlankAndStable());
        assertFails(
                () -> with("bad", input -> ContextHash.of("a", "b", "c")).hash_beforeTheCall_operation("git", "push"));
        AtomicInteger calls = new AtomicInteger();
        Function<HashInput, ContextHash> counting = input -> ContextHash.of("a", "b", "c" + calls.incrementAndGet());
        assertFails(() -> with("bad", counting).hash_anyFailure_sameEachTime("push", "fatal"));
        assertFails(() -> with("bad", counting).hash_manyThreads_sameResults());
        Function<HashInput, ContextHash> local =
                input -> ContextHash.of("a", "b", input.error().toLowerCase());
        assertFails(() -> with("bad", local).hash_otherDefaultLocale_sameResults());
    }

    private static void assertFails(ThrowingCallable contract) {
        assertThatThrownBy(contract).isInstanceOf(AssertionError.class);
    }

    private static ContextHasherContract with(String id, Function<HashInput, ContextHash> rule) {
        ContextHasher hasher = new ContextHasher() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public ContextHash hash(HashInput input) {
                return rule.apply(input);
            }
        };
        return new ContextHasherContract() {
            @Override
            protected ContextHasher hasher() {
                return hasher;
            }
        };
    }
}
