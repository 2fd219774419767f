/** What syncing costs: many clones, beside one shared branch; appending while it goes on; how soon others know. */
@NullMarked
package dev.xmem.benchmarks.sync;

import org.jspecify.annotations.NullMarked;
