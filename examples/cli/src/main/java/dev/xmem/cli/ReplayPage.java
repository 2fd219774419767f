package dev.xmem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The page of a replay: {@code replay.html} with the result in it. The page shows stored text as text only, and its
 * policy forbids it to load anything.
 */
final class ReplayPage {
    private static final String DATA = "@DATA@";

    private ReplayPage() {}

    /** @param json the result, one JSON object */
    static String of(String json) throws IOException {
        try (InputStream in = Objects.requireNonNull(ReplayPage.class.getResourceAsStream("replay.html"))) {
            String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            // in a script element only "<" can end the text
            return page.replace(
                    DATA,
                    json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"));
        }
    }
}
