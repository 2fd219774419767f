package dev.xmem.benchmarks;

import dev.xmem.Query;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * An engine that stores a dataset and answers queries. {@link #named} knows the engines of the default build; a
 * {@link ServiceLoader} finds those of the Maven profile {@code peers}.
 */
interface Engine extends DatasetFormat {
    /** The name in the JMH parameter {@code engine}. */
    String name();

    /** Engines with the same format name read the same files. */
    @Override
    default String formatName() {
        return name();
    }

    /** Name and version for the report. */
    default String version() throws Exception {
        return name();
    }

    /** The query types that the engine supports. */
    Set<QueryType> supportedTypes();

    /** Opens a prepared folder. */
    Searcher open(Path folder) throws Exception;

    /** An open engine. Not thread-safe. */
    interface Searcher extends AutoCloseable {
        /**
         * Returns the ids of the matching entries. Parses every field of every returned entry.
         *
         * @throws LimitExceeded if the engine reaches its own limit on the work for one query
         */
        List<String> ids(TestQuery query) throws Exception;

        @Override
        void close() throws IOException;
    }

    /** The engine reached its own limit on the work for one query. */
    final class LimitExceeded extends Exception {
        LimitExceeded(Exception cause) {
            super(cause);
        }
    }

    /** Returns the engine with this name. */
    static Engine named(String name) {
        return switch (name) {
            case "xmem" -> new XMemEngine();
            case "xmem-data", "xmem-field" -> new XMemEngine(name, Query.Layout.DATA);
            case "sqlite" -> new SqliteEngine("porter");
            case "sqlite-trigram" -> new SqliteEngine("trigram");
            case "ripgrep" -> new ProcessEngine("ripgrep", "rg");
            case "grep" -> new ProcessEngine("grep", "grep");
            case "recipe" -> new ShellRecipeEngine();
            default -> discovered(name);
        };
    }

    /**
     * Returns the engines of the profile {@code peers}. A build with the profile can leave the service file behind
     * for a build without it.
     */
    static List<Engine> discovered() {
        List<Engine> engines = new ArrayList<>();
        Iterator<Engine> iterator = ServiceLoader.load(Engine.class).iterator();
        while (true) {
            try {
                if (!iterator.hasNext()) {
                    return engines;
                }
                engines.add(iterator.next());
            } catch (ServiceConfigurationError e) {
                continue; // the class is not in this build
            }
        }
    }

    private static Engine discovered(String name) {
        for (Engine engine : discovered()) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new IllegalArgumentException(
                "unknown engine: " + name + "; lucene, rocksdb and mvstore need a build with -Ppeers");
    }
}
