package dev.xmem.core;

import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.GuardListener;
import dev.xmem.Incubating;
import dev.xmem.Layer;
import dev.xmem.Limits;
import dev.xmem.Query;
import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.concurrent.LazySecureRandom;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.store.index.SegmentStore;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.core.write.StoreLocks;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.SharedMemory;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.TokenEstimator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores. Stateless. The stores are thread-safe and independent of each other, also if several are open on one
 * directory. Nothing is read or written outside the directory and the files that are named here.
 */
public final class XMem {
    static final int TOKEN_BUDGET = 15_000;

    private XMem() {}

    /**
     * Opens the store in a directory with all defaults. Creates it if there is none.
     *
     * @throws XMemException.Io if the directory cannot be read or written
     */
    public static XMemStore open(Path directory) {
        return builder(directory).open();
    }

    /** Opens a store in memory, with all defaults. Its entries are gone when it is closed. */
    public static XMemStore inMemory() {
        return inMemoryBuilder().open();
    }

    /** Returns a builder of a store in memory. A fixed clock and a seeded generator make its bytes reproducible. */
    public static Builder inMemoryBuilder() {
        return new Builder(Path.of("memory"), new InMemoryFileSystem());
    }

    /** Returns a builder of a store in a directory. */
    public static Builder builder(Path directory) {
        return new Builder(directory, new NativeFileSystem());
    }

    /** Returns the default hasher. Like a store, it hashes the salient lines of an error only. Thread-safe. */
    public static ContextHasher hasher() {
        return CheckedPlugins.ofWholeErrors(new RuleBasedHasher());
    }

    /**
     * Returns a text without invisible characters: terminal sequences, control characters, and code points that
     * show nothing, except joiners inside emoji and words. For programs that show a field of an entry; the texts that a
     * store makes need nothing more. Line ends become line feeds, tabs become spaces.
     */
    public static String visible(String text) {
        return TextSanitizer.visible(Objects.requireNonNull(text, "text"));
    }

    /** Returns the same JSON values, one in each line, with escapes for invisible characters. */
    public static String visibleJson(String json) {
        return Objects.requireNonNull(json, "json")
                .lines()
                .map(TextSanitizer::jsonInOneLine)
                .collect(Collectors.joining("\n"));
    }

    /**
     * Configures and opens a store. Not thread-safe.
     *
     * <pre>{@code
     * XMemStore store = XMem.builder(Path.of(".xmem-store"))
     *         .durability(Durability.GROUP)
     *         .sync(DirectoryBackend.at(Path.of("/mnt/team/xmem")))
     *         .open();
     * }</pre>
     *
     * <table>
     * <caption>Options and their defaults</caption>
     * <tr><td>{@link #durability}<td>{@link Durability#OS}
     * <tr><td>{@link #limits}<td>{@link Limits#defaults()}
     * <tr><td>{@link #readOnly}<td>off
     * <tr><td>{@link #log}, {@link #globalDirectives}<td>files in the store's directory
     * <tr><td>{@link #hasher}, {@link #tokens}<td>built in
     * <tr><td>{@link #discover}<td>off
     * <tr><td>{@link #redactor}, {@link #rejectSecrets}<td>the built-in rules; secrets are replaced
     * <tr><td>{@link #tokenBudget}<td>15,000 tokens
     * <tr><td>{@link #embedder}<td>none
     * <tr><td>{@link #guardLimit}, {@link #lockTimeout}<td>50 ms, 250 ms
     * <tr><td>{@link #sharedSessions}, {@link #lessonHint}, {@link #guardListener}<td>off
     * <tr><td>{@link #alsoAsk}, {@link #readThrough}, {@link #privateStore}<td>none, none, off
     * <tr><td>{@link #sync}, {@link #syncInterval}<td>none, 3 s
     * <tr><td>{@link #peerTrust}<td>0.9
     * <tr><td>{@link #tailWindowBytes}, {@link #cacheBytes}<td>8 MiB for each log, 32 MiB; less in a small heap
     * <tr><td>{@link #resources}<td>the store's own
     * <tr><td>{@link #clock}, {@link #random}<td>the system's, a {@link java.security.SecureRandom}
     * </table>
     *
     * <p>An option throws an {@link IllegalArgumentException} if its value is out of the range that its description
     * gives. {@link #open} refuses these combinations with the same exception: {@link #readOnly} or
     * {@link #privateStore} with {@link #sync}; two kinds of entries in one file; {@link #discover} with two providers
     * of one service, unless the option for it is set. {@link #cacheBytes} has no effect with {@link #resources}.
     */
    public static final class Builder {
        private final Path directory;
        private final FileSystem files;
        private final Map<LogName, Path> logs = new EnumMap<>(LogName.class);
        private final Map<Layer, Builder> asked = new EnumMap<>(Layer.class);
        private boolean privateStore;
        private boolean readOnly;
        private Durability durability = Durability.OS;
        private Limits limits = Limits.defaults();
        private int tokenBudget = TOKEN_BUDGET;
        private @Nullable ContextHasher hasher;
        private @Nullable TokenEstimator tokens;
        private @Nullable Embedder embedder;
        private @Nullable Redactor redactor;
        private boolean rejectSecrets;
        private InstantSource clock = InstantSource.system();
        private Duration guardLimit = Duration.ofMillis(50);
        private boolean sharedSessions;
        private @Nullable UnaryOperator<String> lessonHint;
        private final List<GuardListener> listeners = new ArrayList<>();
        private @Nullable RandomGenerator random;
        private @Nullable Resources resources;
        private @Nullable ClassLoader plugins;
        private @Nullable SharedMemory shared;
        private @Nullable SharedMemory source;
        private @Nullable SyncBackend sync;
        private Duration syncInterval = Duration.ofSeconds(3);
        private double peerTrust = 0.9;
        private long tailWindowBytes = ResourcePool.share(8L << 20, 32);
        private long cacheBytes = ResourcePool.share(32L << 20, 8);
        private int segmentLines = SegmentStore.SEGMENT_LINES;
        private Duration lockTimeout = StoreLocks.PATIENCE;

        Builder(Path directory, FileSystem files) {
            this.directory = Objects.requireNonNull(directory, "directory")
                    .toAbsolutePath()
                    .normalize();
            this.files = files;
        }

        /** Sets what an acknowledged append survives. */
        public Builder durability(Durability d) {
            this.durability = Objects.requireNonNull(d, "d");
            return this;
        }

        /** Sets the sizes that entries and the store may have. */
        public Builder limits(Limits l) {
            this.limits = Objects.requireNonNull(l, "l");
            return this;
        }

        /** Sets the largest page, {@value Query#MIN_TOKEN_BUDGET} tokens or more. A query can only lower the budget. */
        public Builder tokenBudget(int tokens) {
            boolean isValid = tokens >= Query.MIN_TOKEN_BUDGET;
            this.tokenBudget = valid(isValid, tokens, "tokens must be " + Query.MIN_TOKEN_BUDGET + " or more");
            return this;
        }

        /** Opens the store for reading only: it writes nothing, creates no file and takes no lock. */
        public Builder readOnly() {
            this.readOnly = true;
            return this;
        }

        /** Sets the file of the log of a kind other than {@code UNKNOWN}, for a file that another tool writes too. */
        public Builder log(Entry.Kind kind, Path file) {
            Objects.requireNonNull(kind, "kind");
            logs.put(
                    LogName.of(kind),
                    Objects.requireNonNull(file, "file").toAbsolutePath().normalize());
            return this;
        }

        /**
         * Sets the file of the user's global directives, which other stores use too. A lock file, whose name ends in
         * {@code .lock}, is kept beside it. Without this option global directives are in the store's own file.
         */
        public Builder globalDirectives(Path file) {
            logs.put(
                    LogName.GLOBAL_DIRECTIVES,
                    Objects.requireNonNull(file, "file").toAbsolutePath().normalize());
            return this;
        }

        /**
         * Also asks another store in every recall, such as the user's own. It is opened when it is first asked,
         * read-only unless it syncs, and closed with this store. If it is missing, late or damaged, this store answers
         * alone. What fails is recorded in this store only. A store with the directory of this one is not asked.
         */
        public Builder alsoAsk(Layer layer, Builder store) {
            Objects.requireNonNull(layer, "layer");
            if (layer == Layer.PROJECT
                    || !Objects.requireNonNull(store, "store").asked.isEmpty()) {
                throw new IllegalArgumentException("layer must be USER or TEAM, and its store must not ask others");
            }
            asked.put(layer, store);
            return this;
        }

        /**
         * Also asks a shared memory in every recall, by the context hash of the failure, and keeps the families that it
         * asked for last. Their entries are shown as those of {@link Layer#TEAM}, trusted as a peer's. If the memory is
         * missing, late or damaged, this store answers alone, and {@code Stats.layers()} says why. The memory learns
         * which hashes are asked for, and nothing else; use {@link #sync} to publish. It is not closed with this store,
         * and not searched. Cannot be combined with {@link #privateStore} or a store of the team.
         */
        public Builder readThrough(SharedMemory memory) {
            this.shared = Objects.requireNonNull(memory, "memory");
            return this;
        }

        /** Marks the store as private, for good, in the file {@code data/private}: nothing leaves it in any way. */
        public Builder privateStore() {
            this.privateStore = true;
            return this;
        }

        /** Sets how failures are grouped. Without it a discovered hasher is used, else the built-in one. */
        public Builder hasher(ContextHasher h) {
            this.hasher = Objects.requireNonNull(h, "h");
            return this;
        }

        /** Sets how tokens are counted. Without it a discovered estimator is used, else a heuristic. */
        public Builder tokens(TokenEstimator t) {
            this.tokens = Objects.requireNonNull(t, "t");
            return this;
        }

        /**
         * Lets {@link XMemStore#search} find entries by their meaning too, if a query is in words and ordered by
         * relevance. Both rankings are combined by reciprocal rank fusion. Incubating.
         *
         * <p>The vectors of the newest 20,000 lines of each log are kept in memory, one byte per dimension. The first
         * query after opening computes them.
         */
        public Builder embedder(Embedder e) {
            this.embedder = Objects.requireNonNull(e, "e");
            return this;
        }

        /** Redacts every text further, after the built-in rules. */
        public Builder redactor(Redactor r) {
            this.redactor = Objects.requireNonNull(r, "r");
            return this;
        }

        /**
         * Refuses an entry that contains a secret with {@link XMemException.Secret}, instead of storing it with a
         * placeholder for the secret. A directive that contains a secret is always refused.
         */
        public Builder rejectSecrets() {
            this.rejectSecrets = true;
            return this;
        }

        /**
         * Syncs with other stores through a backend, in the background. Entries are published within two seconds, and
         * the entries of peers are imported every {@link #syncInterval}. The store closes the backend.
         */
        public Builder sync(SyncBackend s) {
            this.sync = Objects.requireNonNull(s, "s");
            return this;
        }

        /** Sets how often the entries of peers are imported, every 100 ms at most. */
        public Builder syncInterval(Duration interval) {
            this.syncInterval = valid(
                    Objects.requireNonNull(interval, "interval").toMillis() >= 100,
                    interval,
                    "interval must be 100 ms or more");
            return this;
        }

        /**
         * Sets the weight of the entries of peers in a search by words and in a recall, relative to the store's own,
         * from 0.0 to 1.0. With 0 they are not read.
         */
        public Builder peerTrust(double trust) {
            this.peerTrust = valid(trust >= 0 && trust <= 1, trust, "trust must be between 0 and 1");
            return this;
        }

        /**
         * Looks for a {@link ContextHasher} and a {@link TokenEstimator} among the services of a class loader. An
         * option that is set explicitly wins.
         */
        public Builder discover(ClassLoader plugins) {
            this.plugins = Objects.requireNonNull(plugins, "plugins");
            return this;
        }

        /** Sets how much of the end of each log is kept in memory, 0 bytes or more. It fills on reads and appends. */
        public Builder tailWindowBytes(long bytes) {
            this.tailWindowBytes = valid(bytes >= 0, bytes, "bytes must be 0 or more");
            return this;
        }

        /** Sets the size of the cache of pages, families, words and older parts of logs: 0 bytes or more. */
        public Builder cacheBytes(long bytes) {
            this.cacheBytes = valid(bytes >= 0, bytes, "bytes must be 0 or more");
            return this;
        }

        private static <T> T valid(boolean isValid, T value, String rule) {
            if (!isValid) {
                throw new IllegalArgumentException(rule + ", not " + value);
            }
            return value;
        }

        /** Sets threads and a cache that are shared with other stores. */
        public Builder resources(Resources shared) {
            this.resources = Objects.requireNonNull(shared, "shared");
            return this;
        }

        /** Sets the clock that gives new entries their time, and recalls their "now". */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets how long a guard waits for a recall before it answers {@code UNAVAILABLE}; positive. */
        public Builder guardLimit(Duration limit) {
            Objects.requireNonNull(limit, "limit");
            this.guardLimit = valid(!limit.isZero() && !limit.isNegative(), limit, "limit must be positive");
            return this;
        }

        /**
         * Lets the guards of all stores on the directory that have this option see the same sessions, also if each call
         * is handled by a process of its own. The recent calls of each session, redacted, are kept in a small file in
         * {@code .xmem/sessions}, which is neither searched nor synced.
         */
        public Builder sharedSessions() {
            this.sharedSessions = true;
            return this;
        }

        /**
         * Lets the guard say how to note a lesson, at most once in a session: when a call works that failed before, no
         * lesson is known for the failure, and the difference between the two calls does not tell why. The hint is the
         * text of {@link ToolGuard#failed}, called for the result of the successful call.
         *
         * @param hint makes one short sentence from the id of the failure, such as the command that records a lesson
         */
        public Builder lessonHint(UnaryOperator<String> hint) {
            this.lessonHint = Objects.requireNonNull(hint, "hint");
            return this;
        }

        /** Adds a listener to the store's guard, such as one that counts. They are called in this order. */
        @Incubating
        public Builder guardListener(GuardListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets the source of random numbers: for the fences around advice, the replica id, and the back-off of sync.
         * With a seeded generator the same inputs give the same bytes.
         */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /**
         * Sets how long a write waits for a lock that another process holds before it throws {@link
         * XMemException.Busy}, from zero, which tries once, to a minute. A compaction, restore or purge waits ten
         * seconds, or this long if this is longer. A guard needs no long wait: it keeps its entries and tries again.
         */
        public Builder lockTimeout(Duration timeout) {
            Objects.requireNonNull(timeout, "timeout");
            boolean isValid = !timeout.isNegative() && timeout.compareTo(Duration.ofMinutes(1)) <= 0;
            this.lockTimeout = valid(isValid, timeout, "timeout must be between zero and a minute");
            return this;
        }

        /** Sets the number of lines of a segment, for tests. */
        Builder segmentLines(int lines) {
            this.segmentLines = lines;
            return this;
        }

        /**
         * Opens the store.
         *
         * @throws XMemException.Io if a file or folder cannot be read or created
         * @throws IllegalArgumentException if the options do not fit together, see {@link Builder}
         */
        public XMemStore open() {
            if (shared != null && (privateStore || asked.containsKey(Layer.TEAM))) {
                throw new IllegalArgumentException(
                        "a store that is private, or also asks a team's, cannot ask a shared memory");
            }
            if ((readOnly || privateStore) && sync != null) {
                throw new IllegalArgumentException("a store that is opened read-only, or is private, cannot sync");
            }
            ResourcePool pool = resources == null ? ResourcePool.ofOneStore(cacheBytes) : resources.pool();
            Map<Layer, StoreConfig> others = new EnumMap<>(Layer.class);
            for (Map.Entry<Layer, Builder> each : asked.entrySet()) {
                Builder other = each.getValue();
                if (files instanceof InMemoryFileSystem || !other.directory.equals(directory)) {
                    others.put(each.getKey(), other.config(pool));
                }
            }
            if (shared != null) {
                others.put(Layer.TEAM, fetched(shared).config(pool));
            }
            return StoreAssembly.open(config(pool), others);
        }

        /** The store in memory of what was fetched. */
        private Builder fetched(SharedMemory from) {
            Builder memory = inMemoryBuilder().readOnly().peerTrust(peerTrust);
            memory.source = from;
            memory.hasher = hasher;
            memory.plugins = plugins;
            memory.clock = clock;
            memory.limits = limits;
            return memory;
        }

        private StoreConfig config(ResourcePool shared) {
            return new StoreConfig(
                    files,
                    StorePaths.of(directory, logs),
                    readOnly,
                    durability,
                    limits,
                    tokenBudget,
                    CheckedPlugins.hasher(hasher, plugins, new RuleBasedHasher()),
                    CheckedPlugins.tokens(tokens, plugins),
                    CheckedPlugins.embedder(embedder),
                    CheckedPlugins.redactor(redactor),
                    rejectSecrets,
                    CheckedPlugins.clock(clock),
                    guardLimit,
                    sharedSessions,
                    lessonHint,
                    List.copyOf(listeners),
                    random == null ? new LazySecureRandom() : random,
                    resources == null ? shared : resources.pool(),
                    resources == null,
                    sync,
                    syncInterval,
                    peerTrust,
                    tailWindowBytes,
                    segmentLines,
                    lockTimeout,
                    privateStore,
                    Layer.PROJECT,
                    source);
        }
    }
}
