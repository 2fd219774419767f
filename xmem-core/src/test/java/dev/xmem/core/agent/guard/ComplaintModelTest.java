package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.agent.guard.ComplaintModel.Count;
import dev.xmem.core.agent.guard.ComplaintModel.Labeled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The weights by which complaints are heard are what the labeled messages teach. To learn them again, run this test
 * once with {@code -Dxmem.complaints.write=true} and commit the changed file.
 */
class ComplaintModelTest {
    private static final String WRITE = "xmem.complaints.write";
    private static final String WEIGHTS = "complaint-weights.txt";
    private static final List<String> AUTHORS = List.of(
            "complaints-heldout.tsv",
            "complaints-heldout-2.tsv",
            "complaints-heldout-3.tsv",
            "complaints-heldout-4.tsv",
            "complaints-heldout-5.tsv",
            "complaints-heldout-6.tsv");
    private static final List<String> OTHERS = List.of("complaints-dev.tsv", "complaints-kinds.tsv");

    private static List<String> filesWithout(String author) {
        List<String> files = new ArrayList<>(OTHERS);
        AUTHORS.stream().filter(file -> !file.equals(author)).forEach(files::add);
        return files;
    }

    @Test
    void weights_learnedAgain_areThoseOfTheFile() throws IOException {
        String text = ComplaintModel.text(ComplaintModel.weights(ComplaintModel.readAll(filesWithout(""))));
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(Path.of("src/main/resources/dev/xmem/core/agent/guard", WEIGHTS), text);
            return;
        }
        try (InputStream in = Objects.requireNonNull(FrustrationDetector.class.getResourceAsStream(WEIGHTS))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
        }
    }

    /** What is heard of authors whose messages were not learned from: the figure to expect of new users. */
    @Test
    void messages_ofAnotherAuthor_areToldApart() {
        Count all = new Count(0, 0, 0, 0);
        for (String author : AUTHORS) {
            Map<String, Double> weights = ComplaintModel.weights(ComplaintModel.readAll(filesWithout(author)));
            List<Labeled> messages = ComplaintModel.read(author);
            Count count = Count.of(messages, weights);
            System.out.println("complaints of another author: " + author + ": " + count);
            all = all.and(count);
        }
        System.out.println("complaints of other authors: " + all);
        assertThat(all.heard()).isGreaterThanOrEqualTo(all.complaints() * 90 / 100);
        assertThat(all.falseAlarms()).isLessThanOrEqualTo(all.others() * 7 / 100);
    }
}
