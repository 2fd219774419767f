/**
 * The configuration of a store. {@link dev.xmem.core.base.config.StoreConfig} has all values of the builder; the others
 * are its parts: {@link dev.xmem.core.base.config.StorePaths} the paths, {@link
 * dev.xmem.core.base.config.LogDescriptor} the logs that a store reads, {@link dev.xmem.core.base.config.ResourcePool}
 * its threads and its cache.
 */
@NullMarked
package dev.xmem.core.base.config;

import org.jspecify.annotations.NullMarked;
