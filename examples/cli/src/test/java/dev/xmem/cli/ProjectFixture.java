package dev.xmem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A user's project with a home folder, and the commands that run in it. */
abstract class ProjectFixture {
    @TempDir
    Path folder;

    Path project;
    Path local;
    Path global;
    Environment environment;

    @BeforeEach
    void project() throws IOException {
        project = Files.createDirectories(folder.toRealPath().resolve("project"));
        Files.createDirectory(project.resolve(".git"));
        local = project.resolve("docs/memory/memories.ndjson");
        global = project.resolveSibling("home").resolve(".skill_master/memory/memories.ndjson");
        environment = new Environment(
                Map.of("HOME", project.resolveSibling("home").toString()),
                folder,
                Files.createDirectories(project.resolve("a/b")),
                false);
    }

    Xmem in(String... args) {
        return Xmem.in(environment, "", args);
    }
}
