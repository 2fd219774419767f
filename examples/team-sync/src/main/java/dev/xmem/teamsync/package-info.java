/** Two agents that share what they learn through a git repository. */
@NullMarked
package dev.xmem.teamsync;

import org.jspecify.annotations.NullMarked;
