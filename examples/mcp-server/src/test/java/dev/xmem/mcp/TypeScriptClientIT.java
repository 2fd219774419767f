package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official TypeScript client, with progress and cancellation. Runs with {@code -Dxmem.npm.fetch} only. */
class TypeScriptClientIT {
    private static final String SDK = "@modelcontextprotocol/sdk@1.32.2";
    private static final String TOKEN = "the-token-of-the-client-test";

    @TempDir
    Path folder;

    @BeforeEach
    void install() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("xmem.npm.fetch") != null, "fetch " + SDK + " with -Dxmem.npm.fetch");
        List<String> install = List.of("npm", "install", "--no-audit", "--no-fund", "--prefix", folder.toString(), SDK);
        Programs.Result result = Programs.runHere(folder, install, "");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Files.copy(Path.of("src", "test", "npm", "client.mjs"), folder.resolve("client.mjs"));
    }

    private void client(List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("node", folder.resolve("client.mjs").toString()));
        command.addAll(arguments);
        Programs.Result result = Programs.runHere(folder, command, "");
        assertThat(result.out()).as(result.err()).isEqualTo("ok\n");
    }

    @Test
    void client_onStandardStreams_isServed() throws Exception {
        client(BuiltJarIT.server(folder.resolve("store")));
    }

    @Test
    void client_overHttp_isServed() throws Exception {
        try (XMemStore store = XMem.inMemoryBuilder().open();
                McpHttpServer server = McpHttpServer.start(store, 0, TOKEN)) {
            client(List.of(server.uri().toString(), TOKEN));
        }
    }
}
