import org.jspecify.annotations.NullMarked;

/**
 * The public API of xmem: the store, drafts, queries, entries, and the interfaces of plug-ins. Depends on the JDK only.
 */
@NullMarked
module dev.xmem {
    requires static transitive org.jspecify;

    exports dev.xmem;
    exports dev.xmem.spi;
}
