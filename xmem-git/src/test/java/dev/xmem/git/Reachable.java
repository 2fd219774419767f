package dev.xmem.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The readable content of a remote as one text: erased lines must not be in it. */
final class Reachable {
    private Reachable() {}

    /** Every file under a folder. */
    static String files(Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }

    /** Every object that is reachable from a ref. */
    static String objects(Remote remote) throws Exception {
        return objects(remote, "rev-list --all --objects");
    }

    /** Every object of the repository. */
    static String allObjects(Remote remote) throws Exception {
        return objects(remote, "cat-file --batch-all-objects --batch-check='%(objectname)'");
    }

    private static String objects(Remote remote, String listed) throws Exception {
        String git = "git -C '" + remote.folder() + "' ";
        return Remote.run(remote.folder(), "sh", "-c", git + listed + " | cut -d' ' -f1 | " + git + "cat-file --batch");
    }
}
