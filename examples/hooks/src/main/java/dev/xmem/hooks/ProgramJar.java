package dev.xmem.hooks;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The jar of this program, or the folder of its classes. */
final class ProgramJar {
    private ProgramJar() {}

    static Path path() throws IOException {
        CodeSource source = ProgramJar.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw new IOException("the program has no jar");
        }
        try {
            return Path.of(source.getLocation().toURI()).toRealPath();
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException(e);
        }
    }

    /** What differs in another build: the file, its length and its time. */
    static String key(Path jar) throws IOException {
        return UserFolder.key(jar)
                + ':'
                + Files.size(jar)
                + ':'
                + Files.getLastModifiedTime(jar).toMillis();
    }
}
