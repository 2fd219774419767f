package dev.xmem.core.base.config;

import dev.xmem.Durability;
import dev.xmem.GuardListener;
import dev.xmem.Layer;
import dev.xmem.Limits;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.Redactor;
import dev.xmem.spi.SharedMemory;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.TokenEstimator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The configuration of a store: the values of the builder, with defaults for the missing ones. */
public record StoreConfig(
        FileSystem fileSystem,
        StorePaths paths,
        boolean readOnly,
        Durability durability,
        Limits limits,
        int tokenBudget,
        ContextHasher hasher,
        TokenEstimator tokens,
        @Nullable Embedder embedder,
        @Nullable Redactor redactor,
        boolean rejectSecrets,
        InstantSource clock,
        Duration guardLimit,
        boolean sharedSessions,
        @Nullable UnaryOperator<String> lessonHint,
        List<GuardListener> guardListeners,
        RandomGenerator random,
        ResourcePool resources,
        boolean ownsResources,
        @Nullable SyncBackend sync,
        Duration syncInterval,
        double peerTrust,
        long tailWindowBytes,
        int segmentLines,
        Duration lockTimeout,
        boolean privateStore,
        Layer layer,
        @Nullable SharedMemory source) {
    /** The same for a store that another one asks: it writes nothing, unless it syncs, and shows no private entry. */
    public StoreConfig askedAs(Layer asked) {
        return with(sync == null, asked, sync);
    }

    /** The same for a store that only writes what another one sends it, and does not sync. */
    public StoreConfig written() {
        return with(readOnly, Layer.PROJECT, null);
    }

    private StoreConfig with(boolean unwritten, Layer shownAs, @Nullable SyncBackend backend) {
        return new StoreConfig(
                fileSystem,
                paths,
                unwritten,
                durability,
                limits,
                tokenBudget,
                hasher,
                tokens,
                embedder,
                redactor,
                rejectSecrets,
                clock,
                guardLimit,
                sharedSessions,
                lessonHint,
                guardListeners,
                random,
                resources,
                false,
                backend,
                syncInterval,
                peerTrust,
                tailWindowBytes,
                segmentLines,
                lockTimeout,
                privateStore,
                shownAs,
                source);
    }
}
