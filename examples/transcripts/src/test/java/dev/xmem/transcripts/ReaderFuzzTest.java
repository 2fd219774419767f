package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers on damaged input: they end without an error and leave out what they cannot use. Runs {@code -Dxmem.fuzz=N}
 * rounds for each file, 60 by default.
 */
class ReaderFuzzTest {
    private static final int ROUNDS = Integer.getInteger("xmem.fuzz", 60);
    private static final List<String> VALUES = List.of(
            "null",
            "{}",
            "[]",
            "0",
            "-1",
            "1e99",
            "\"\"",
            "\"{\"",
            "true",
            "[[[[[[[[[[[[",
            "\u0000",
            "\\",
            "\"\\ud800\"");

    @TempDir
    Path folder;

    @Test
    void damagedInput_isCounted_andNothingIsThrown() throws IOException {
        Random random = new Random(5);
        for (String agent : Fixtures.AGENTS) {
            for (Path fixture : Fixtures.files(agent)) {
                TranscriptFile whole = Objects.requireNonNull(Transcripts.of(fixture));
                byte[] bytes = Files.readAllBytes(fixture);
                Path file = folder.resolve(String.valueOf(fixture.getFileName()));
                for (int round = 0; round < ROUNDS; round++) {
                    Files.write(file, damaged(bytes, random));
                    read(new TranscriptFile(file, whole.format(), Instant.EPOCH), random);
                    Transcripts.of(file);
                }
            }
        }
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        int at = random.nextInt(copy.length);
        switch (random.nextInt(5)) {
            case 0 -> copy[at] = (byte) random.nextInt(256);
            case 1 -> copy = Arrays.copyOf(copy, at);
            case 2 -> {
                for (int i = 0; i < 20; i++) {
                    copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
                }
            }
            default -> copy = replaced(new String(bytes, StandardCharsets.UTF_8), random);
        }
        return copy;
    }

    /** A value of the text is replaced by one of another type. */
    private static byte[] replaced(String text, Random random) {
        List<Integer> colons = new ArrayList<>();
        for (int i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) {
            colons.add(i);
        }
        int begin = colons.get(random.nextInt(colons.size())) + 1;
        int end = begin;
        while (end < text.length() && ",}]\n".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String value = VALUES.get(random.nextInt(VALUES.size()));
        return (text.substring(0, begin) + value + text.substring(end)).getBytes(StandardCharsets.UTF_8);
    }

    private static void read(TranscriptFile file, Random random) throws IOException {
        Transcript transcript;
        try {
            transcript = file.open(random.nextInt(3) == 0 ? random.nextInt(500) : 0);
        } catch (IOException e) {
            assertThat(file.format()).isEqualTo(TranscriptFormat.JUNIT);
            return;
        }
        try (transcript) {
            long calls = 0;
            for (PastCall call = transcript.next(); call != null; call = transcript.next()) {
                assertThat(call.session()).isNotNull();
                assertThat(call.time()).isNotNull();
                calls++;
            }
            assertThat(transcript.counts().calls()).isEqualTo(calls);
        }
    }
}
