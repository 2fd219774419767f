/** What a store is configured with: the builder's values, the paths of its files, and its shared threads and cache. */
@NullMarked
package dev.xmem.core.base.config;

import org.jspecify.annotations.NullMarked;
