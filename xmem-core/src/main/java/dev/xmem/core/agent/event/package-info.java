/** Small files of events, to which several processes append: sessions, network failures, lessons that worked. */
@NullMarked
package dev.xmem.core.agent.event;

import org.jspecify.annotations.NullMarked;
