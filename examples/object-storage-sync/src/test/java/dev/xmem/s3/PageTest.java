package dev.xmem.s3;

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
                "import java.net.*;",
                "import java.nio.file.*;",
                "import java.time.*;",
                "import java.util.*;",
                "import dev.xmem.s3.*;");

        PageBlocks.compile(
                Path.of("README.md"), imports, "static Path store; static String accessKey, secretKey;", classes);
    }
}
