import org.jspecify.annotations.NullMarked;

/** The public surface of xmem: the store, what goes in, what comes out, and the plug-in contracts. JDK only. */
@NullMarked
module dev.xmem {
    requires static transitive org.jspecify;

    exports dev.xmem;
    exports dev.xmem.spi;
}
