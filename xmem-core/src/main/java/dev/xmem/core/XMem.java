package dev.xmem.core;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.base.concurrent.LazySecureRandom;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.store.index.SegmentStore;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The only door. Stateless; stores that it opens are thread-safe and independent of each other, also on one directory.
 * Nothing is read or written outside the directory and the files that are named here.
 */
public final class XMem {
    private XMem() {}

    /**
     * Opens the store in a directory, making it if needed, with all defaults.
     *
     * @throws XMemException.Io if the directory cannot be read or written
     */
    public static XMemStore open(Path directory) {
        return builder(directory).open();
    }

    /** A store in the heap, the same engine: gone when it is closed. */
    public static XMemStore inMemory() {
        return inMemoryBuilder().open();
    }

    /** A store in the heap, to be set up first: with a clock of its own a test knows every byte. */
    public static Builder inMemoryBuilder() {
        return new Builder(Path.of("memory"), new InMemoryFileSystem());
    }

    /** A store in a directory, to be set up first. */
    public static Builder builder(Path directory) {
        return new Builder(directory, new NativeFileSystem());
    }

    /**
     * The default hasher, as a store applies it: to the telling lines of an error, which are what is stored. Thread-safe.
     */
    public static ContextHasher hasher() {
        RuleBasedHasher hasher = new RuleBasedHasher();
        return new ContextHasher() {
            @Override
            public String id() {
                return hasher.id();
            }

            @Override
            public ContextHash hash(HashInput input) {
                Excerpt excerpt = Excerpt.of(input.tool(), input.action(), input.error());
                return hasher.hash(input.error(excerpt.text(), input.exitCode()));
            }
        };
    }

    /** Sets a store up. Not thread-safe; used once. */
    public static final class Builder {
        private static final long CACHE_BYTES = 16L << 20;
        private static final long TAIL_WINDOW_BYTES = 8L << 20;

        private final Path directory;
        private final FileSystem disk;
        private final Map<LogName, Path> logs = new EnumMap<>(LogName.class);
        private boolean readOnly;
        private Durability durability = Durability.OS;
        private Limits limits = Limits.defaults();
        private int tokenBudget = 15_000;
        private @Nullable ContextHasher hasher;
        private @Nullable TokenEstimator tokens;
        private @Nullable Embedder embedder;
        private @Nullable Redactor redactor;
        private boolean rejectSecrets;
        private InstantSource clock = InstantSource.system();
        private Duration guardLimit = Duration.ofMillis(50);
        private @Nullable RandomGenerator random;
        private @Nullable Resources resources;
        private @Nullable ClassLoader plugins;
        private @Nullable SyncBackend sync;
        private Duration syncInterval = Duration.ofSeconds(3);
        private double peerTrust = 0.9;
        private long tailWindowBytes = TAIL_WINDOW_BYTES;
        private long cacheBytes = CACHE_BYTES;
        private int segmentLines = SegmentStore.SEGMENT_LINES;

        Builder(Path directory, FileSystem disk) {
            this.directory = Objects.requireNonNull(directory, "directory")
                    .toAbsolutePath()
                    .normalize();
            this.disk = disk;
        }

        /** What an acknowledged append survives. Default {@link Durability#OS}. */
        public Builder durability(Durability d) {
            this.durability = Objects.requireNonNull(d, "d");
            return this;
        }

        /** How large things may be. Default {@link Limits#defaults()}. */
        public Builder limits(Limits l) {
            this.limits = Objects.requireNonNull(l, "l");
            return this;
        }

        /**
         * What a page may cost unless its query says otherwise. Default 15,000 tokens.
         *
         * @throws IllegalArgumentException if it is below {@link Query#MIN_TOKEN_BUDGET}
         */
        public Builder tokenBudget(int tokens) {
            if (tokens < Query.MIN_TOKEN_BUDGET) {
                throw new IllegalArgumentException(
                        "tokens must be " + Query.MIN_TOKEN_BUDGET + " or more, not " + tokens);
            }
            this.tokenBudget = tokens;
            return this;
        }

        /** Writes nothing, makes no file, takes no lock. */
        public Builder readOnly() {
            this.readOnly = true;
            return this;
        }

        /**
         * Where the log of a kind is, for a file that another tool keeps too.
         *
         * @throws IllegalArgumentException for {@link Entry.Kind#UNKNOWN}, which has no log of its own
         */
        public Builder log(Entry.Kind kind, Path file) {
            logs.put(LogName.of(kind), file.toAbsolutePath().normalize());
            return this;
        }

        /**
         * Where the user's global directives are, a file that other stores use too; a lock file of the same name with
         * {@code .lock} is kept beside it. Default: global directives stand in the store's own file.
         */
        public Builder globalDirectives(Path file) {
            logs.put(LogName.GLOBAL_DIRECTIVES, file.toAbsolutePath().normalize());
            return this;
        }

        /**
         * Recalls what another store knows after what this one knows.
         *
         * @throws XMemException.Unsupported always: not there yet in this version
         */
        public Builder readThrough(XMemStore shared) {
            throw new XMemException.Unsupported("readThrough is not there yet in this version of xmem.");
        }

        /** Groups failures into families. Default: one that was discovered, else the built-in one. */
        public Builder hasher(ContextHasher h) {
            this.hasher = Objects.requireNonNull(h, "h");
            return this;
        }

        /** Counts tokens. Default: one that was discovered, else {@link TokenEstimator#heuristic()}. */
        public Builder tokens(TokenEstimator t) {
            this.tokens = Objects.requireNonNull(t, "t");
            return this;
        }

        /**
         * Finds entries in {@link XMemStore#search} by what they mean too, where a query is in words and ordered by
         * relevance; both rankings are fused by reciprocal rank. Incubating. Default: none, words alone.
         *
         * <p>The vectors of the newest 20,000 lines of each log are kept in memory, one byte a dimension, and made anew after
         * opening: the first query pays for it.
         */
        public Builder embedder(Embedder e) {
            this.embedder = Objects.requireNonNull(e, "e");
            return this;
        }

        /** Takes more out of every text, after what xmem takes out itself. Default: nothing more. */
        public Builder redactor(Redactor r) {
            this.redactor = Objects.requireNonNull(r, "r");
            return this;
        }

        /**
         * Refuses an entry that holds a secret with {@link XMemException.Secret}, instead of storing it with a placeholder
         * in the secret's place. Directives are always refused.
         */
        public Builder rejectSecrets() {
            this.rejectSecrets = true;
            return this;
        }

        /**
         * Syncs with other stores through a backend, in the background: what is recorded is published within a second or
         * two, what others published is there some seconds later ({@link #syncInterval}). The store closes the backend.
         * Default: no sync, and no thread for it.
         */
        public Builder sync(SyncBackend s) {
            this.sync = Objects.requireNonNull(s, "s");
            return this;
        }

        /**
         * How often others are asked for what they published. Default 3 seconds.
         *
         * @throws IllegalArgumentException if it is shorter than 100 milliseconds
         */
        public Builder syncInterval(Duration interval) {
            if (interval.toMillis() < 100) {
                throw new IllegalArgumentException("interval must be 100 ms or more, not " + interval);
            }
            this.syncInterval = interval;
            return this;
        }

        /**
         * How much the entries of others weigh beside one's own in a search by words and in a recall, from 0.0 to 1.0; with 0 they
         * are not looked at.
         * Default 0.9.
         *
         * @throws IllegalArgumentException if it is not between 0 and 1
         */
        public Builder peerTrust(double trust) {
            if (!(trust >= 0 && trust <= 1)) {
                throw new IllegalArgumentException("trust must be between 0 and 1, not " + trust);
            }
            this.peerTrust = trust;
            return this;
        }

        /**
         * Looks for a {@link ContextHasher} and a {@link TokenEstimator} among the services of a class loader. What is
         * given explicitly wins; two providers of one are an error that names both.
         */
        public Builder discover(ClassLoader plugins) {
            this.plugins = Objects.requireNonNull(plugins, "plugins");
            return this;
        }

        /**
         * How much of the end of each log is kept in memory, so that what was recorded last is read from there. Default 8 MiB;
         * it fills as lines are read and appended.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder tailWindowBytes(long bytes) {
            this.tailWindowBytes = notNegative(bytes);
            return this;
        }

        /**
         * How much memory the store's own cache of entries and older parts of logs may take. Default 16 MiB; of no effect
         * with {@link #resources}, which bring their own.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder cacheBytes(long bytes) {
            this.cacheBytes = notNegative(bytes);
            return this;
        }

        private static long notNegative(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("bytes must be 0 or more, not " + bytes);
            }
            return bytes;
        }

        /** A thread and a cache shared with other stores. Default: the store's own. */
        public Builder resources(Resources shared) {
            this.resources = Objects.requireNonNull(shared, "shared");
            return this;
        }

        /** What time it is. Default: the system's. */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * How long {@link XMemStore#guard} waits for a recall before it says {@link dev.xmem.Advice.Status#UNAVAILABLE}.
         * Default 50 ms.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder guardLimit(Duration limit) {
            if (limit.isZero() || limit.isNegative()) {
                throw new IllegalArgumentException("limit must be positive, not " + limit);
            }
            this.guardLimit = limit;
            return this;
        }

        /**
         * Where random numbers come from: the numbers on the fences around advice, who a store is for others, and how long
         * its sync waits. Default: a {@link java.security.SecureRandom}. With a seeded one the same inputs give the same bytes.
         */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /** How many lines of a log are sealed together: for tests. */
        Builder segmentLines(int lines) {
            this.segmentLines = lines;
            return this;
        }

        /**
         * Opens the store.
         *
         * @throws XMemException.Io if a file or folder cannot be read or made
         * @throws IllegalArgumentException if two providers were discovered, two kinds share a file, or a read-only store is
         *     to sync
         */
        public XMemStore open() {
            StoreConfig settings = new StoreConfig(
                    disk,
                    StorePaths.of(directory, logs),
                    readOnly,
                    durability,
                    limits,
                    tokenBudget,
                    chosen(ContextHasher.class, hasher, new RuleBasedHasher()),
                    chosen(TokenEstimator.class, tokens, TokenEstimator.heuristic()),
                    embedder,
                    redactor,
                    rejectSecrets,
                    clock,
                    guardLimit,
                    random == null ? new LazySecureRandom() : random,
                    resources == null ? ResourcePool.ofOneStore(cacheBytes) : resources.pool(),
                    resources == null,
                    sync,
                    syncInterval,
                    peerTrust,
                    tailWindowBytes,
                    segmentLines);
            if (readOnly && sync != null) {
                throw new IllegalArgumentException("a store that is opened read-only cannot sync");
            }
            try {
                return new DefaultStore(new Engine(settings));
            } catch (UncheckedIOException e) {
                throw new XMemException.Io(directory, Objects.requireNonNull(e.getCause()));
            } catch (IOException e) {
                throw new XMemException.Io(directory, e);
            }
        }

        private <T> T chosen(Class<T> service, @Nullable T given, T builtIn) {
            if (given != null || plugins == null) {
                return given == null ? builtIn : given;
            }
            List<T> found = ServiceLoader.load(service, plugins).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            if (found.size() > 1) {
                throw new IllegalArgumentException("there is more than one " + service.getSimpleName() + ": "
                        + found.stream()
                                .map(provider -> provider.getClass().getName())
                                .toList()
                        + ". Give the builder the one to use.");
            }
            return found.isEmpty() ? builtIn : found.get(0);
        }
    }
}
