package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A way to keep entries and to find them again. What is built for everybody is named here; what comes with the Maven
 * profile {@code peers} is found by a {@link ServiceLoader}.
 */
interface Engine extends Filled {
    /** What it is called in a parameter. */
    String name();

    /** Engines whose files have one name read the same ones. */
    @Override
    default String files() {
        return name();
    }

    /** What it answers. */
    Set<Ask> asks();

    /** Opens a folder that was filled. */
    Answers open(Path folder) throws Exception;

    /** An engine that is open. Used by one thread. */
    interface Answers extends AutoCloseable {
        /**
         * The ids of an answer, every field of every entry of it parsed.
         *
         * @throws GaveUp if it stops looking after so much work
         */
        List<String> ids(Question question) throws Exception;

        @Override
        void close() throws IOException;
    }

    /** An engine's own limit on the work for one question was reached. */
    final class GaveUp extends Exception {
        GaveUp(Exception cause) {
            super(cause);
        }
    }

    /** The engine of a name. */
    static Engine named(String name) {
        List<Engine> built = List.of(
                new XMemEngine(),
                new SqliteEngine("porter"),
                new SqliteEngine("trigram"),
                new ProcessEngine("ripgrep", "rg"),
                new ProcessEngine("grep", "grep"),
                new SeedEngine());
        for (Engine engine : built) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        for (Engine engine : ServiceLoader.load(Engine.class)) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new IllegalArgumentException("no engine is called " + name
                + "; lucene, rocksdb and mvstore are there when the benchmarks are built with -Ppeers");
    }
}
