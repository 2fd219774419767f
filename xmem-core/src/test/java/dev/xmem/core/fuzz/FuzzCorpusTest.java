package dev.xmem.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the corpus that fuzzing left, one file per input. The folder is the one where Jazzer looks for seeds.
 */
class FuzzCorpusTest {
    @ParameterizedTest
    @EnumSource(Target.class)
    void target_keptCorpus_isReadOrRefused(Target target) throws IOException, URISyntaxException {
        URL folder = FuzzCorpusTest.class.getResource(
                "ParsersFuzzInputs/" + target.name().toLowerCase(Locale.ROOT));
        List<Path> inputs;
        try (Stream<Path> files =
                Files.list(Path.of(Objects.requireNonNull(folder).toURI()))) {
            inputs = files.sorted().toList();
        }
        assertThat(inputs).isNotEmpty();
        for (Path input : inputs) {
            try {
                target.read(Files.readAllBytes(input));
            } catch (RuntimeException | AssertionError | StackOverflowError e) {
                throw new AssertionError(target + " and " + input.getFileName(), e);
            }
        }
    }
}
