package dev.xmem.springboot;

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
                "import org.springframework.ai.chat.client.*;",
                "import org.springframework.boot.*;",
                "import org.springframework.boot.autoconfigure.*;",
                "import org.springframework.context.annotation.*;");

        PageBlocks.compile(Path.of("README.md"), imports, "", classes);
    }
}
