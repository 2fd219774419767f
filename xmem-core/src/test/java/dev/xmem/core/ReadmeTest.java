package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.core.fixtures.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README compiles and does what the README says. */
class ReadmeTest {
    private static final String MARK = "<!-- example -->";
    private static final int MOST_LINES = 12;

    @TempDir
    Path directory;

    private static List<String> example() throws IOException {
        Path readme = Repository.root().resolve("README.md");
        assumeTrue(Files.exists(readme), "there is no README.md yet");
        List<String> lines = Files.readAllLines(readme);
        int mark = lines.indexOf(MARK);
        assertThat(mark).as("README.md marks its example with %s", MARK).isNotNegative();
        List<String> after = lines.subList(mark + 1, lines.size());
        assertThat(after.get(0)).isEqualTo("```java");
        return after.subList(1, after.indexOf("```"));
    }

    @Test
    void example_inLines_isTwelveAtMost() throws IOException {
        assertThat(example()).filteredOn(line -> !line.isBlank()).hasSizeBetween(1, MOST_LINES);
    }

    @Test
    void example_compiledAndRun_showsTheAdvice() throws IOException, InterruptedException {
        compile(example());
        String output = run();
        assertThat(output).contains("Check the remote's name with `rclone config show` first");
        assertThat(output).contains("seen 1").contains("Found 1 entry").contains("rclone");
        assertThat(directory.resolve(".xmem-store/data/failures.jsonl")).isNotEmptyFile();
    }

    private void compile(List<String> body) throws IOException {
        String source = "import dev.xmem.*;\nimport dev.xmem.core.*;\nimport java.nio.file.*;\n"
                + "public class Example {\n    public static void main(String[] args) throws Exception {\n"
                + String.join("\n", body)
                + "\n    }\n}\n";
        Path file = Files.writeString(directory.resolve("Example.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-Xlint:all",
                    "-Werror",
                    "-proc:none",
                    "--release",
                    "17",
                    "-cp",
                    classPath(),
                    "-d",
                    directory.toString());
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file))
                            .call())
                    .isTrue();
        }
    }

    /** What stands on this test's class path and is there; javac warns of what is not. */
    private static String classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
                .filter(path -> path.contains("xmem")
                        || path.contains("jackson")
                        || path.contains("caffeine")
                        || path.contains("jspecify")
                        || path.contains("error_prone")
                        || Files.isDirectory(Path.of(path)))
                .filter(path -> Files.exists(Path.of(path)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** In a process of its own: the example opens its store in the working directory. */
    private String run() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=UTF-8",
                        "-Dstdout.encoding=UTF-8",
                        "-cp",
                        classPath() + File.pathSeparator + directory,
                        "Example")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
