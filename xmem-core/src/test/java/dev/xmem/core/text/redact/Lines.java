package dev.xmem.core.text.redact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/** The texts of a test file, one per line: {@code \n} is a line end, {@code \\n} an escaped one. */
final class Lines {
    private Lines() {}

    static Stream<String> of(String resource) {
        try (InputStream in = Objects.requireNonNull(Lines.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Lines::unescaped);
        } catch (IOException e) {
            throw new IllegalStateException(resource, e);
        }
    }

    private static String unescaped(String line) {
        return line.replace("\\\\n", "\u0001").replace("\\n", "\n").replace("\u0001", "\\n");
    }
}
