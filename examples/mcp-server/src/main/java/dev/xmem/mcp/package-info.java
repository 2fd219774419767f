/** An MCP server. {@code McpProgram} is its entry point, and {@code MemoryTools} has its tools. */
@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
