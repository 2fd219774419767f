package dev.xmem.hasher;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Groups failures that contain a vendor's error code, such as {@code ACME-4711}, into one family per code; all others
 * are grouped by the default hasher. Stateless and thread-safe.
 */
public final class ErrorCodeHasher implements ContextHasher {
    private static final Pattern CODE = Pattern.compile("\\b[A-Z]{3,8}-(\\d{3,5})\\b");

    private final ContextHasher fallback = XMem.hasher();

    /** Contains the id of the default hasher, because a change of the default changes the hashes of this one. */
    @Override
    public String id() {
        return "error-code-1-" + fallback.id();
    }

    /** Keeps the default's tool and operation, so that the warning before a call still finds its failures. */
    @Override
    public ContextHash hash(HashInput input) {
        ContextHash usual = fallback.hash(input);
        Matcher code = CODE.matcher(input.error());
        return code.find() && input.patternName() == null
                ? ContextHash.of(usual.tool(), operation(input), code.group())
                : usual;
    }

    private String operation(HashInput input) {
        return fallback.hash(HashInput.of(input.tool(), input.action())).action();
    }
}
