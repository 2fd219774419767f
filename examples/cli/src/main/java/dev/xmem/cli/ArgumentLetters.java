package dev.xmem.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The letters of the command line that Java reads as U+FFFD, because the locale does not have them. */
final class ArgumentLetters {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private ArgumentLetters() {}

    /**
     * The arguments with their own letters, which Linux tells; null if they cannot be known, since with other letters
     * they would be another path, text or argument of a program.
     */
    static String @Nullable [] restored(String[] args) {
        CharsetEncoder locale =
                Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")).newEncoder();
        if (Arrays.stream(args).allMatch(locale::canEncode)) {
            return args;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(COMMAND_LINE));
            String[] words =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes).toString().split("\0", -1);
            int end = words.length - 1; // each word ends with a zero
            return end < args.length ? null : Arrays.copyOfRange(words, end - args.length, end);
        } catch (IOException e) {
            return null;
        }
    }
}
