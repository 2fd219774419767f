package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Repository;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java examples of README.md and docs/guide-*.md compile. Those of the guides also run, and print what they say.
 *
 * <p>An example is a block that begins with {@code ```java}. It is the body of a method, with {@link #IMPORTS}, a store
 * {@code store} and a directory {@code dir} in scope. The examples of one guide run one after another on one store. A
 * line that ends in {@code // prints TEXT} announces a line of output; "…" stands for any characters. Blocks that begin
 * with {@code ```java git} need xmem-git and are checked by the test of this name there.
 */
class GuidesTest {
    private static final String FENCE = "```java";
    private static final String PRINTS = "// prints ";
    private static final List<String> IMPORTS =
            List.of("dev.xmem.*", "dev.xmem.core.*", "dev.xmem.spi.*", "java.nio.file.*", "java.time.*", "java.util.*");

    /** A limit for guards that even a busy machine keeps. */
    private static final Duration PATIENT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    /** An example, named after its file and first line. */
    private record Example(String name, List<String> lines) {
        String source() {
            return IMPORTS.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
                    + "public class " + name + " {\n"
                    + "static XMemStore store;\nstatic Path dir;\n"
                    + "public static void run(XMemStore s, Path d) throws Exception {\n"
                    + "store = s;\ndir = d;\n"
                    + String.join("\n", lines)
                    + "\n}\n}\n";
        }

        List<Pattern> prints() {
            return lines.stream()
                    .filter(line -> line.contains(PRINTS))
                    .map(line -> line.substring(line.indexOf(PRINTS) + PRINTS.length()))
                    .map(text -> Pattern.compile(Pattern.quote(text).replace("…", "\\E.*\\Q")))
                    .toList();
        }
    }

    private static List<Path> pages() throws IOException {
        Path root = Repository.root();
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            List<Path> guides = docs.filter(
                            file -> file.getFileName().toString().matches("guide-.*\\.md"))
                    .sorted()
                    .toList();
            assertThat(guides).hasSizeGreaterThanOrEqualTo(6);
            return Stream.concat(Stream.of(root.resolve("README.md")), guides.stream())
                    .toList();
        }
    }

    private static List<Example> examples(Path page) throws IOException {
        String prefix = page.getFileName().toString().replace(".md", "").replace('-', '_') + "_";
        List<String> lines = Files.readAllLines(page);
        List<Example> examples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals(FENCE)) {
                int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
                examples.add(new Example(prefix + (i + 2), lines.subList(i + 1, end)));
                i = end;
            }
        }
        return examples;
    }

    /** Compiles examples into {@link #directory}. */
    private void compile(List<Example> examples) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
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
        List<JavaFileObject> sources = new ArrayList<>();
        for (Example example : examples) {
            URI uri = URI.create("string:///" + example.name() + ".java");
            sources.add(new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return example.source();
                }
            });
        }
        StringWriter messages = new StringWriter();
        boolean compiled =
                compiler.getTask(messages, null, null, options, null, sources).call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    @Test
    void readme_compiled_hasNoWarning() throws IOException {
        List<Example> examples = examples(Repository.root().resolve("README.md"));

        compile(examples);

        assertThat(examples).isNotEmpty();
    }

    @TestFactory
    List<DynamicTest> guide_compiledAndRun_printsWhatItSays() throws IOException {
        return pages().stream()
                .skip(1)
                .map(page -> DynamicTest.dynamicTest(page.getFileName().toString(), () -> compileAndRun(page)))
                .toList();
    }

    private void compileAndRun(Path page) throws Exception {
        List<Example> examples = examples(page);
        assertThat(examples).isNotEmpty();
        compile(examples);
        Path dir = Files.createDirectory(directory.resolve(page.getFileName().toString()));
        URL[] classes = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, GuidesTest.class.getClassLoader());
                XMemStore store =
                        XMem.builder(dir.resolve("store")).guardLimit(PATIENT).open()) {
            for (Example example : examples) {
                Iterator<String> printed = run(loader.loadClass(example.name()), store, dir)
                        .lines()
                        .iterator();
                for (Pattern line : example.prints()) {
                    assertThat(skipTo(line, printed))
                            .as(example.name() + " prints " + line)
                            .isTrue();
                }
            }
        }
    }

    private static boolean skipTo(Pattern line, Iterator<String> printed) {
        boolean found = false;
        while (!found && printed.hasNext()) {
            found = line.matcher(printed.next()).matches();
        }
        return found;
    }

    /** Runs an example and returns what it prints. */
    private static String run(Class<?> example, XMemStore store, Path dir) throws ReflectiveOperationException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            example.getMethod("run", XMemStore.class, Path.class).invoke(null, store, dir);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
