package dev.xmem.core;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the files of this repository are that tests read: above the folder they run in. */
final class Repository {
    private Repository() {}

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("the tests run outside of the repository");
            }
        }
        return folder;
    }
}
