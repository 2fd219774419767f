package dev.xmem.core;

import dev.xmem.Layer;
import dev.xmem.SyncReport;
import dev.xmem.XMemException;
import dev.xmem.core.agent.guard.Guard;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.answer.lookup.EntryLookup;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.recall.Recall;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.search.QueryService;
import dev.xmem.core.answer.search.Searcher;
import dev.xmem.core.answer.search.SemanticSearch;
import dev.xmem.core.base.concurrent.LazySecureRandom;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.maintain.verify.IndexRecovery;
import dev.xmem.core.maintain.verify.IntegrityChecker;
import dev.xmem.core.store.index.AlternateHash;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.HasherHistory;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogDiscovery;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.SegmentStore;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReadStats;
import dev.xmem.core.sync.Sync;
import dev.xmem.core.sync.SyncWorker;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.SyncBackend;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one open store, created and connected from the bottom up. {@link DefaultStore} runs operations on them.
 * Decision: docs/adr/0021-cold-start.md.
 */
final class StoreAssembly implements Closeable {
    private static final String PRIVATE_MARK = "Nothing leaves this store. Delete this file to change that.\n";

    final StoreConfig config;
    final FileSystem files;
    final StorePaths paths;
    final ReadStats reads = new ReadStats();
    final StoreStats.Metrics metrics = new StoreStats.Metrics();
    private final LogDiscovery auxiliary;
    final LogRegistry registry;
    final IndexRecovery recovery;
    final Redaction redaction;
    final EntryReader entries;
    final Outcomes outcomes;
    final DirectiveReader directives;
    final Fence fence;
    final Recall recall;
    final QueryService queries;
    final EntryLookup lookup;
    final LogChecksums checksums;
    final IntegrityChecker integrity;
    final @Nullable WriteSide writeSide;
    final @Nullable SyncWorker sync;
    final StoreLayers layers;
    private final ResourcePool resources;

    /** Opens a store; a failure becomes an exception of the API. */
    static DefaultStore open(StoreConfig config, Map<Layer, StoreConfig> asked) {
        try {
            return new DefaultStore(new StoreAssembly(config, asked));
        } catch (UncheckedIOException e) {
            throw new XMemException.Io(config.paths().root(), Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw new XMemException.Io(config.paths().root(), e);
        }
    }

    /**
     * Opens the files and reads the logs.
     *
     * @param asked the configurations of the stores that this one also asks
     */
    private StoreAssembly(StoreConfig config, Map<Layer, StoreConfig> asked) throws IOException {
        this.config = config;
        this.paths = config.paths();
        this.files = config.fileSystem().within(paths.root());
        this.resources = config.resources();
        if (config.sharedSessions()) {
            resources.background().schedule(Guard::loadCallRules, Duration.ZERO);
        }
        this.redaction = new Redaction(config.redactor());
        this.entries = new EntryReader();
        this.auxiliary = new LogDiscovery(
                files,
                paths.root(),
                paths.data(),
                paths.archives(),
                paths.peers(),
                paths.segments(),
                config.peerTrust() > 0);
        paths.confine(files);
        requireNotPrivate();
        AlternateHash rehash = new HasherHistory(files, paths.hashers()).rehash(config);
        SegmentStore segments = new SegmentStore(
                files, paths.root(), paths.segments(), config.segmentLines(), !config.readOnly(), rehash);
        Function<LogDescriptor, LogFile> opener = new Function<>() {
            @Override
            public LogFile apply(LogDescriptor part) {
                return log(part);
            }
        };
        this.registry = new LogRegistry(
                paths.logs(), auxiliary, opener, segments, config.clock(), config.layer() != Layer.PROJECT);
        this.recovery = new IndexRecovery(registry);
        this.outcomes = new Outcomes(entries, resources.cache());
        this.fence = fence(config.random());
        this.recall = new Recall(entries, outcomes, config.tokens(), fence, resources.cache(), config.peerTrust());
        this.directives = new DirectiveReader(entries, outcomes);
        Embedder embedder = config.embedder();
        SemanticSearch semantic = embedder == null ? null : new SemanticSearch(embedder);
        Searcher searcher = new Searcher(semantic, resources.cache(), config.peerTrust());
        this.queries = new QueryService(config, searcher, directives, outcomes, entries);
        this.lookup = new EntryLookup(entries, directives, outcomes);
        this.checksums = new LogChecksums(files, paths);
        this.integrity = new IntegrityChecker(config, registry, checksums);
        this.writeSide = config.readOnly() ? null : new WriteSide(this);
        this.sync = writeSide == null ? null : syncWorker(writeSide);
        this.layers = new StoreLayers(config, asked);
        markPrivate();
        readLogs();
    }

    private LogFile log(LogDescriptor part) {
        int lineBytes = config.limits().lineBytes();
        if (part.origin().tier() == Origin.Tier.PEER) {
            return new LogFile(files, auxiliary.merged(part.kind()), part.file(), lineBytes, resources.cache(), reads);
        }
        long window = part.origin().tier() == Origin.Tier.HOT ? config.tailWindowBytes() : 0;
        return new LogFile(files, part.file(), lineBytes, window, resources.cache(), reads);
    }

    /**
     * Draws the fence's number at once, so that a seeded generator gives reproducible output; the default one is lazy.
     */
    private static Fence fence(RandomGenerator random) {
        if (random instanceof LazySecureRandom) {
            return new Fence(random);
        }
        long secret = random.nextLong();
        return new Fence(() -> secret);
    }

    private @Nullable SyncWorker syncWorker(WriteSide out) throws IOException {
        SyncBackend backend = config.sync();
        if (backend == null) {
            return null;
        }
        Sync protocol = new Sync(backend, files, paths.sync(), config.limits(), config.random());
        return new SyncWorker(
                protocol,
                backend.id(),
                resources.network(),
                metrics.appended,
                config.syncInterval(),
                config.clock(),
                config.random(),
                () -> {
                    auxiliary.expire();
                    checksums.forgetReplacedPeers();
                    out.index.touched();
                },
                SyncWorker.GROUP_TICK);
    }

    /** The streams of other replicas that no round reads on. */
    List<SyncReport.Unread> unread() throws IOException {
        return Sync.unread(files, paths.sync());
    }

    private void requireNotPrivate() throws IOException {
        if (config.sync() != null && files.exists(paths.privateMark())) {
            throw new XMemException.Unsupported("the store in " + paths.root() + " is private and cannot sync; "
                    + paths.privateMark() + " says so.");
        }
    }

    private void markPrivate() throws IOException {
        if (config.privateStore() && writeSide != null && !files.exists(paths.privateMark())) {
            files.replace(paths.privateMark(), PRIVATE_MARK.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void readLogs() throws IOException {
        boolean empty;
        try {
            IoSupplier<StoreSnapshot> whole = new IoSupplier<>() {
                @Override
                public StoreSnapshot get() throws IOException {
                    return registry.whole();
                }
            };
            empty = recovery.withRetry(whole).isEmpty();
        } catch (IOException | RuntimeException | Error e) {
            release();
            throw e;
        }
        if (writeSide != null && !empty) {
            writeSide.index.opened();
        }
        if (sync != null) {
            sync.start();
        }
    }

    @Override
    public void close() {
        layers.close();
        if (sync != null) {
            sync.close();
        }
        if (writeSide != null) {
            writeSide.stop();
        }
        release();
    }

    private void release() {
        try {
            registry.close();
            if (writeSide != null) {
                writeSide.close();
            }
        } catch (IOException e) {
            Log.debug("a file of the store was not closed", e);
        }
        if (config.ownsResources()) {
            resources.close();
        }
    }
}
