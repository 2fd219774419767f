package dev.xmem.core.answer.render;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Expected texts, one per file beside the test. The file ends with a line end, the text does not. */
public final class Golden {
    private Golden() {}

    public static String text(Class<?> test, String name) {
        try (InputStream in = Objects.requireNonNull(test.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
