package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of docs/guide-sync.md that begin with {@code ```java git} compile, run, and print what they say. The
 * test of this name in xmem-core states the rules. Here, {@code dev.xmem.git} is imported too, and {@code remote} is
 * the path of a bare repository.
 */
class GuidesTest {
    private static final String FENCE = "```java git";
    private static final String PRINTS = "// prints ";
    private static final List<String> IMPORTS = List.of(
            "dev.xmem.*",
            "dev.xmem.core.*",
            "dev.xmem.git.*",
            "dev.xmem.spi.*",
            "java.nio.file.*",
            "java.time.*",
            "java.util.*");

    @TempDir
    Path directory;

    private static List<List<String>> examples() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(root.resolve("mvnw"))) {
            root = root.getParent();
        }
        List<String> lines = Files.readAllLines(root.resolve("docs/guide-sync.md"));
        List<List<String>> examples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals(FENCE)) {
                List<String> rest = lines.subList(i + 1, lines.size());
                examples.add(rest.subList(0, rest.indexOf("```")));
            }
        }
        return examples;
    }

    @Test
    void guide_compiledAndRun_printsWhatItSays() throws Exception {
        List<List<String>> examples = examples();
        assertThat(examples).isNotEmpty();
        compile(examples);
        Path bare = directory.resolve("remote.git");
        Git.init().setBare(true).setDirectory(bare.toFile()).call().close();
        URL[] classes = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, GuidesTest.class.getClassLoader());
                XMemStore store = XMem.open(directory.resolve("store"))) {
            for (int i = 0; i < examples.size(); i++) {
                String printed = run(loader.loadClass("Example" + i), store, directory, bare.toString());
                assertThat(printed).matches(announced(examples.get(i)));
            }
        }
    }

    /** The lines that an example announces, with any others between them. */
    private static Pattern announced(List<String> example) {
        String lines = example.stream()
                .filter(line -> line.contains(PRINTS))
                .map(line -> Pattern.quote(line.substring(line.indexOf(PRINTS) + PRINTS.length())))
                .map(line -> line.replace("…", "\\E.*\\Q") + "\\n(.*\\n)*?")
                .collect(Collectors.joining());
        return Pattern.compile("(.*\\n)*?" + lines);
    }

    private void compile(List<List<String>> examples) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (int i = 0; i < examples.size(); i++) {
            String source =
                    IMPORTS.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
                            + "public class Example" + i + " {\n"
                            + "public static void run(XMemStore store, Path dir, String remote) throws Exception {\n"
                            + String.join("\n", examples.get(i))
                            + "\n}\n}\n";
            sources.add(Files.writeString(directory.resolve("Example" + i + ".java"), source));
        }
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> Files.exists(Path.of(path)))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of(
                "-Xlint:all,-path",
                "-Werror",
                "-proc:none",
                "--release",
                "17",
                "-cp",
                classPath,
                "-d",
                directory.toString());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                            .call())
                    .isTrue();
        }
    }

    /** Runs an example and returns what it prints. */
    private static String run(Class<?> example, XMemStore store, Path dir, String remote)
            throws ReflectiveOperationException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            example.getMethod("run", XMemStore.class, Path.class, String.class).invoke(null, store, dir, remote);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
