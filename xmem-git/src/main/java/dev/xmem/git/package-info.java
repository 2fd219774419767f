/** Sync through a git repository: one ref a replica, pushed only by its owner, so that nothing can conflict. */
@NullMarked
package dev.xmem.git;

import org.jspecify.annotations.NullMarked;
