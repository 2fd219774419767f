package dev.xmem.agentscope;

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
                "import dev.xmem.agentscope.*;",
                "import io.agentscope.core.*;",
                "import io.agentscope.core.agent.*;",
                "import io.agentscope.core.message.*;",
                "import io.agentscope.core.model.*;",
                "import io.agentscope.core.tool.*;",
                "import java.util.*;");

        PageBlocks.compile(
                Path.of("README.md"),
                imports,
                "static XMemStore store; static Model model; static Toolkit toolkit; static Msg message;",
                classes);
    }
}
