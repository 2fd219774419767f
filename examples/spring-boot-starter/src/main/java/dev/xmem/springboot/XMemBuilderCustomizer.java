package dev.xmem.springboot;

import dev.xmem.core.XMem;

/** Changes the builder of the store before it is opened. Beans of this type are called in their order, last of all. */
@FunctionalInterface
public interface XMemBuilderCustomizer {
    /** Sets further options. */
    void customize(XMem.Builder builder);
}
