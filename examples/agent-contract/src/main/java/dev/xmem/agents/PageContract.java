package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of the page of an example: its blocks {@code ```java} compile. A block is the body of a method, or a
 * class if it has one in a line of its own.
 */
public abstract class PageContract {
    private static final List<String> PACKAGES =
            List.of("dev.xmem", "dev.xmem.core", "java.net", "java.nio.file", "java.time", "java.util");

    private final String members;
    private final List<String> before = new ArrayList<>();

    @TempDir
    Path classes;

    /**
     * Names what the blocks use.
     *
     * @param members what the class of a block has beside it, such as {@code static Assistant assistant;}
     * @param packages packages to import, besides that of the example, those of xmem, and some of Java
     */
    protected PageContract(String members, String... packages) {
        this.members = members;
        Stream.of(PACKAGES.stream(), Stream.of(packages), Stream.of(getClass().getPackageName()))
                .flatMap(names -> names)
                .forEach(name -> before.add("import " + name + ".*;"));
    }

    /** Compiles all blocks, each for itself, and fails with the messages of the compiler. */
    @Test
    void page_blocks_compile() throws IOException {
        Path page = Path.of("README.md");
        List<String> lines = Files.readAllLines(page);
        List<JavaFileObject> sources = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("```java")) {
                int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
                sources.add(source("Block" + i, lines.subList(i + 1, end)));
                i = end;
            }
        }
        assertThat(sources).as("blocks of " + page).isNotEmpty();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .getTask(messages, null, null, options, null, sources)
                        .call())
                .as(page + "\n" + messages)
                .isTrue();
    }

    private JavaFileObject source(String name, List<String> block) {
        boolean isClass =
                block.stream().anyMatch(line -> line.startsWith("class ") || line.startsWith("public class "));
        String body = String.join("\n", block);
        String text = Stream.concat(before.stream(), Stream.of("class " + name + " {", members))
                        .collect(Collectors.joining("\n"))
                + (isClass
                        ? "}\n" + body.replace("class Application", "class " + name + "Application")
                        : "void run() throws Exception {\n" + body + "\n}\n}\n");
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
