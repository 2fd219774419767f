package dev.xmem.opentelemetry;

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
                "import dev.xmem.*;",
                "import dev.xmem.core.*;",
                "import dev.xmem.opentelemetry.*;",
                "import io.opentelemetry.api.trace.*;",
                "import io.opentelemetry.sdk.trace.*;",
                "import java.nio.file.*;");

        PageBlocks.compile(Path.of("README.md"), imports, "", classes);
    }
}
