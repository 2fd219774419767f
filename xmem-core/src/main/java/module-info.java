import org.jspecify.annotations.NullMarked;

/** The engine of xmem: one door, {@link dev.xmem.core.XMem}; every other package is a room of its own behind it. */
@NullMarked
module dev.xmem.core {
    requires transitive dev.xmem;
    requires com.fasterxml.jackson.core;
    requires com.github.benmanes.caffeine;
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.xmem.core;

    uses dev.xmem.spi.ContextHasher;
    uses dev.xmem.spi.TokenEstimator;
}
