package dev.xmem.hasher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged plug-in jar, used with a store that was written without it. */
class PlugInIT {
    private static final ToolCall DEPLOY = ToolCall.shell("acmectl deploy shop --to eu");
    private static final ToolError QUOTA = ToolError.exit(1, "ACME-4711: quota of region eu exceeded");
    private static final ToolError REFUSED = ToolError.exit(1, "deployment refused (ACME-4711), see the console");
    private static final String NEW_HASH = "acmectl-deploy-acme-4711";

    @TempDir
    Path folder;

    private URLClassLoader plugIns;

    /** Loads the jar in a class loader that sees nothing else of this module. */
    @BeforeEach
    void load() throws IOException {
        try (var files = Files.list(Path.of("target"))) {
            URL jar = files.filter(file ->
                            file.getFileName().toString().matches("xmem-example-custom-hasher-[^-]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow()
                    .toUri()
                    .toURL();
            plugIns = new URLClassLoader(new URL[] {jar}, new WithoutThisModule());
        }
    }

    @AfterEach
    void unload() throws IOException {
        plugIns.close();
    }

    private static final class WithoutThisModule extends ClassLoader {
        WithoutThisModule() {
            super(PlugInIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.xmem.hasher.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/dev.xmem.")
                    ? Collections.emptyEnumeration()
                    : super.getResources(name);
        }
    }

    private XMemStore open() {
        return XMem.open(folder);
    }

    private XMemStore openWithPlugIn() {
        return XMem.builder(folder).discover(plugIns).open();
    }

    private static long found(XMemStore store, String hash) {
        return store.search(Query.all().ctxHash(hash)).total();
    }

    private List<String> storedLines() throws IOException {
        return Files.readAllLines(folder.resolve("data/failures.jsonl"));
    }

    @Test
    void jar_notOnPath_groupsByText() {
        try (XMemStore store = open()) {
            String quota = store.recordFailure(Failure.of(DEPLOY, QUOTA)).ctxHash();
            String refused = store.recordFailure(Failure.of(DEPLOY, REFUSED)).ctxHash();

            assertThat(quota).isNotEqualTo(refused).isNotEqualTo(NEW_HASH);
        }
    }

    /** No line is edited: an entry keeps its stored hash and is found by that hash, by the new one and by its text. */
    @Test
    void jar_addedToStore_keepsStoredHashesAndHashesNewEntries() throws Exception {
        String oldHash;
        try (XMemStore store = open()) {
            oldHash = store.recordFailure(Failure.of(DEPLOY, QUOTA).patternAvoid("Deploy to us first."))
                    .ctxHash();
        }
        List<String> before = storedLines();

        try (XMemStore store = openWithPlugIn()) {
            assertThat(found(store, oldHash)).isOne();
            assertThat(found(store, NEW_HASH))
                    .as("indexed in addition to the stored hash")
                    .isOne();
            assertThat(store.recall(DEPLOY, REFUSED).text()).contains("Deploy to us first.");
            assertThat(store.search(Query.words("quota exceeded")).text()).contains("Deploy to us first.");
            assertThat(store.recordFailure(Failure.of(DEPLOY, REFUSED).patternAvoid("Ask for quota."))
                            .ctxHash())
                    .isEqualTo(NEW_HASH);
            Advice advice = store.recall(DEPLOY, QUOTA);
            assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
            assertThat(advice.text()).as("different text, same code").contains("Ask for quota.");
        }

        assertThat(storedLines()).hasSize(2).startsWith(before.get(0));
        assertThat(before.get(0)).contains("\"ctx_hash\":\"" + oldHash + "\"");
    }

    @Test
    void jar_removed_losesNothing() {
        try (XMemStore store = openWithPlugIn()) {
            store.recordFailure(Failure.of(DEPLOY, QUOTA).patternAvoid("Deploy to us first."));
        }

        try (XMemStore store = open()) {
            assertThat(found(store, NEW_HASH)).isOne();
            assertThat(store.search(Query.words("quota exceeded")).text()).contains("Deploy to us first.");
            assertThat(store.verify().findings()).isEmpty();
        }
    }
}
