/** An MCP server on standard input and output: an experience memory for any host that speaks the protocol. */
@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
