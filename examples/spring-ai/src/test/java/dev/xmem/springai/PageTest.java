package dev.xmem.springai;

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
                "import dev.xmem.springai.*;",
                "import org.springframework.ai.chat.client.*;",
                "import org.springframework.ai.chat.client.advisor.*;",
                "import org.springframework.ai.chat.model.*;",
                "import org.springframework.ai.model.tool.*;",
                "import org.springframework.ai.tool.resolution.*;");

        PageBlocks.compile(
                Path.of("README.md"),
                imports,
                "static XMemStore store; static ChatModel model; static Object tools; static Object myTools; static ToolCallingManager manager; static ToolCallbackResolver resolver; static ChatClient agent; static String conversationId, message;",
                classes);
    }
}
