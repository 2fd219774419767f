/** An adapter that gives agents of AgentScope Java an experience memory. */
@NullMarked
package dev.xmem.agentscope;

import org.jspecify.annotations.NullMarked;
