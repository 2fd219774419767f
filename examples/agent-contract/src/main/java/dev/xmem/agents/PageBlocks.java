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

/**
 * Compiles the blocks {@code ```java} of a page. A block is the body of a method, or a class if it has one in a line of
 * its own.
 */
public final class PageBlocks {
    private PageBlocks() {}

    /**
     * Compiles all blocks, each for itself, and fails with the messages of the compiler.
     *
     * @param before lines before each block, such as {@code import java.util.*;}
     * @param members what the class of a block has beside it, such as {@code static Assistant assistant;}
     * @param classes a folder for the classes
     */
    public static void compile(Path page, List<String> before, String members, Path classes) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<JavaFileObject> sources = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("```java")) {
                int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
                sources.add(source("Block" + i, lines.subList(i + 1, end), before, members));
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

    private static JavaFileObject source(String name, List<String> block, List<String> before, String members) {
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
