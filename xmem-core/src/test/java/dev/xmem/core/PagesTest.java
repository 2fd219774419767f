package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.xmem.core.fixtures.Repository;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * All Markdown pages: each link to a file of the repository, and each anchor in it, exists; each page with Java has a
 * test that compiles it; JSON is JSON. Links to other sites are not followed.
 */
class PagesTest {
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git");
    private static final Pattern LINK = Pattern.compile("(?<!\\\\)]\\(<?([^)\\s>]+)>?(?: \"[^\"]*\")?\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)#*\\s*");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(Repository.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(pages).hasSizeGreaterThan(50);
        return pages;
    }

    /** The lines of a page outside its blocks of code. */
    private static List<String> text(Path page) throws IOException {
        List<String> text = new ArrayList<>();
        boolean code = false;
        for (String line : Files.readAllLines(page)) {
            if (line.strip().startsWith("```")) {
                code = !code;
            } else if (!code) {
                text.add(line);
            }
        }
        return text;
    }

    /** The anchors of a page, as GitHub makes them from its headings. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : text(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = LINK.matcher(heading.group(1))
                        .replaceAll("]")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{Nd}_\\- ]", "")
                        .strip()
                        .replace(' ', '-');
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + '-' + before);
            }
            Matcher own = ANCHOR.matcher(line);
            while (own.find()) {
                anchors.add(own.group(1));
            }
        }
        return anchors;
    }

    @Test
    void links_leadToFilesAndAnchors() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (String line : text(page)) {
                Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("`code`"));
                while (link.find()) {
                    String target = link.group(1);
                    if (target.matches("[a-z]+:.*")) {
                        continue;
                    }
                    links++;
                    String[] parts = target.split("#", 2);
                    Path file = parts[0].isEmpty()
                            ? page
                            : page.resolveSibling(URLDecoder.decode(parts[0], StandardCharsets.UTF_8));
                    boolean found = Files.exists(file);
                    boolean anchored = parts.length < 2
                            || found
                                    && (!file.toString().endsWith(".md")
                                            || anchors(file).contains(parts[1].toLowerCase(Locale.ROOT)));
                    if (!found || !anchored) {
                        broken.add(Repository.root().relativize(page) + ": " + target);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(300);
    }

    @Test
    void pagesWithJava_areCompiledByATest() throws IOException {
        List<String> unchecked = new ArrayList<>();
        for (Path page : pages()) {
            boolean java = Files.readAllLines(page).stream()
                    .anyMatch(line -> line.strip().startsWith("```java"));
            String name = Repository.root().relativize(page).toString().replace('\\', '/');
            if (java && !name.equals("README.md") && !name.matches("docs/guide-[a-z-]+\\.md") && !isCompiled(page)) {
                unchecked.add(name);
            }
        }
        assertThat(unchecked).as("pages without GuidesTest or a PageTest").isEmpty();
    }

    /** Whether a test beside the page compiles its blocks, all of which begin at the margin. */
    private static boolean isCompiled(Path page) throws IOException {
        Path tests = page.resolveSibling("src/test/java");
        if (!page.endsWith("README.md") || !Files.isDirectory(tests)) {
            return false;
        }
        try (var files = Files.walk(tests)) {
            for (Path test :
                    files.filter(file -> file.endsWith("PageTest.java")).toList()) {
                if (Files.readString(test).contains("extends PageContract")) {
                    return Files.readAllLines(page).stream()
                            .filter(line -> line.strip().startsWith("```java"))
                            .allMatch("```java"::equals);
                }
            }
        }
        return false;
    }

    @Test
    void json_isJson() throws IOException {
        for (Path page : pages()) {
            List<String> lines = Files.readAllLines(page);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).equals("```json")) {
                    int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
                    String block = String.join("\n", lines.subList(i + 1, end));
                    try (JsonParser json = new JsonFactory().createParser(block)) {
                        while (json.nextToken() != null) {}
                    } catch (IOException e) {
                        throw new AssertionError(page + ":" + (i + 1) + ": " + e.getMessage(), e);
                    }
                }
            }
        }
    }
}
