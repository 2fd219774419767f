package dev.xmem.core.base.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResourcePoolTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void all_severalTasks_resultsInOrder(boolean large) throws IOException {
        assertThat(ResourcePool.all(4, large, number -> number * number)).containsExactly(0, 1, 4, 9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void all_taskWithAnUncheckedFailureOfAFile_throwsTheFailure(boolean large) {
        IOException failure = new IOException("the disk is gone");

        assertThatThrownBy(() -> ResourcePool.all(2, large, number -> {
                    throw new UncheckedIOException(failure);
                }))
                .isSameAs(failure);
    }
}
