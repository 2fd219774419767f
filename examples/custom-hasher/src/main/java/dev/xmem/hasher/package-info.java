/** A context hasher that groups failures by the error codes of a vendor. */
@NullMarked
package dev.xmem.hasher;

import org.jspecify.annotations.NullMarked;
