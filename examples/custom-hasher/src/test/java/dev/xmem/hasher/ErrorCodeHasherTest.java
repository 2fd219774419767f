package dev.xmem.hasher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.testing.ContextHasherContract;
import org.junit.jupiter.api.Test;

/** The hasher contract, and the error codes. */
class ErrorCodeHasherTest extends ContextHasherContract {
    private final ContextHasher hasher = new ErrorCodeHasher();

    @Override
    protected ContextHasher hasher() {
        return hasher;
    }

    private String hash(String error) {
        return hasher.hash(HashInput.of("acmectl", "deploy shop --to eu").error(error, 1))
                .value();
    }

    @Test
    void hash_sameCodeDifferentText_isOneFamily() {
        assertThat(hash("ACME-4711: quota of region eu exceeded"))
                .isEqualTo(hash("deployment refused (ACME-4711), see the console"))
                .isEqualTo("acmectl-deploy-acme-4711")
                .isNotEqualTo(hash("ACME-4712: quota of region eu exceeded"));
    }

    @Test
    void hash_noCode_isDefaultHash() {
        HashInput input = HashInput.of("git", "push").error("fatal: The current branch x has no upstream branch.", 128);
        assertThat(hasher.hash(input).value())
                .isEqualTo(XMem.hasher().hash(input).value());
    }

    @Test
    void hash_withoutError_keepsOperation() {
        HashInput call = HashInput.of("acmectl", "deploy shop --to eu");
        assertThat(hasher.hash(call).value())
                .isEqualTo(hasher.hash(call.error("ACME-4711: no", 1)).operation());
    }
}
