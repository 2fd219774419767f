package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A way to keep entries and to find them again. What is built for everybody is named here; what comes with the Maven
 * profile {@code peers} is found by a {@link ServiceLoader}.
 */
interface Engine extends DatasetFormat {
    /** What it is called in a parameter. */
    String name();

    /** Engines whose files have one name read the same ones. */
    @Override
    default String formatName() {
        return name();
    }

    /** What it is, in which version. */
    default String version() throws Exception {
        return name();
    }

    /** What it answers. */
    Set<QueryType> supportedTypes();

    /** Opens a folder that was filled. */
    Searcher open(Path folder) throws Exception;

    /** An engine that is open. Used by one thread. */
    interface Searcher extends AutoCloseable {
        /**
         * The ids of an answer, every field of every entry of it parsed.
         *
         * @throws LimitExceeded if it stops looking after so much work
         */
        List<String> ids(TestQuery query) throws Exception;

        @Override
        void close() throws IOException;
    }

    /** An engine's own limit on the work for one question was reached. */
    final class LimitExceeded extends Exception {
        LimitExceeded(Exception cause) {
            super(cause);
        }
    }

    /** The engine of a name. */
    static Engine named(String name) {
        return switch (name) {
            case "xmem" -> new XMemEngine();
            case "sqlite" -> new SqliteEngine("porter");
            case "sqlite-trigram" -> new SqliteEngine("trigram");
            case "ripgrep" -> new ProcessEngine("ripgrep", "rg");
            case "grep" -> new ProcessEngine("grep", "grep");
            case "recipe" -> new ShellRecipeEngine();
            default -> discovered(name);
        };
    }

    /** The engines of the profile. A build with it leaves their names behind for one without it. */
    static List<Engine> discovered() {
        List<Engine> found = new ArrayList<>();
        Iterator<Engine> engines = ServiceLoader.load(Engine.class).iterator();
        while (true) {
            try {
                if (!engines.hasNext()) {
                    return found;
                }
                found.add(engines.next());
            } catch (ServiceConfigurationError e) {
                continue; // the name is passed over
            }
        }
    }

    private static Engine discovered(String name) {
        for (Engine engine : discovered()) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new IllegalArgumentException("no engine is called " + name
                + "; lucene, rocksdb and mvstore are there when the benchmarks are built with -Ppeers");
    }
}
