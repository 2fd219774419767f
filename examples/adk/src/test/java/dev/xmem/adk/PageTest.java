package dev.xmem.adk;

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
                "import com.google.adk.agents.*;",
                "import com.google.adk.runner.*;",
                "import dev.xmem.*;",
                "import dev.xmem.adk.*;");

        PageBlocks.compile(Path.of("README.md"), imports, "static XMemStore store; static BaseAgent agent;", classes);
    }
}
