package dev.xmem.quarkus;

import dev.xmem.agents.PageBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the page compile. */
class PageTest {
    @TempDir
    Path classes;

    @Test
    void page_blocks_compile() throws IOException {
        List<String> imports = List.of(
                "import dev.langchain4j.service.*;",
                "import dev.langchain4j.service.tool.*;",
                "import dev.xmem.quarkus.*;",
                "import io.quarkiverse.langchain4j.*;");

        PageBlocks.compile(Path.of("README.md"), imports, "static class Tools {}", classes);
    }
}
