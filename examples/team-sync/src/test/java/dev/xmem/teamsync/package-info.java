@NullMarked
package dev.xmem.teamsync;

import org.jspecify.annotations.NullMarked;
