package dev.xmem.hooks;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the script {@code xmem-hook}, each with a home of its own and no process left behind. */
@Timeout(300)
abstract class HookScriptCase {
    @TempDir
    Path folder;

    HookScript hook;

    @BeforeEach
    void home() {
        hook = new HookScript(folder);
    }

    @AfterEach
    void noProcessIsLeft() throws Exception {
        hook.end();
    }
}
