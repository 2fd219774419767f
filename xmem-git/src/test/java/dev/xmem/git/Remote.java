package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A bare repository, inspected with the installed git. */
record Remote(Path folder) {
    static Remote create(Path folder) throws Exception {
        run(folder.getParent(), "git", "init", "--quiet", "--bare", folder.toString());
        return new Remote(folder);
    }

    /** Runs git in it; returns the output. */
    String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        return run(folder, command.toArray(String[]::new));
    }

    static String run(Path in, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
        builder.environment().put("GIT_AUTHOR_NAME", "x");
        builder.environment().put("GIT_AUTHOR_EMAIL", "x@x");
        builder.environment().put("GIT_COMMITTER_NAME", "x");
        builder.environment().put("GIT_COMMITTER_EMAIL", "x@x");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(String.join(" ", command) + ": " + said)
                .isZero();
        return said.strip();
    }

    void assertSound() throws Exception {
        assertThat(git("fsck", "--strict", "--full", "--no-dangling")
                        .lines()
                        .filter(line -> !line.startsWith("notice:")))
                .isEmpty();
    }
}
