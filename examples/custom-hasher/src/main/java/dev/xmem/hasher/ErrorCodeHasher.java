package dev.xmem.hasher;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Failures that carry one of a vendor's codes, such as {@code ACME-4711}, are one family for each code, whatever else their text
 * says; all others are grouped as by default. Stateless and thread-safe.
 */
public final class ErrorCodeHasher implements ContextHasher {
    private static final Pattern CODE = Pattern.compile("\\b[A-Z]{3,8}-(\\d{3,5})\\b");

    private final ContextHasher otherwise = XMem.hasher();

    /** The name of the default hasher stands in it: where that changes, this one changes too. */
    @Override
    public String id() {
        return "error-code-1-" + otherwise.id();
    }

    /** Tool and operation stay those of the default, so that a warning before the call still finds its failures. */
    @Override
    public ContextHash hash(HashInput input) {
        ContextHash usual = otherwise.hash(input);
        Matcher code = CODE.matcher(input.error());
        return code.find() && input.patternName() == null
                ? ContextHash.of(usual.tool(), operation(input), code.group())
                : usual;
    }

    private String operation(HashInput input) {
        return otherwise.hash(HashInput.of(input.tool(), input.action())).action();
    }
}
