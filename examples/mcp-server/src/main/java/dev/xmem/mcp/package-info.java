/**
 * An MCP server on standard input and output, and a hook program for coding agents. {@code McpProgram} is the entry
 * point of both: {@code MemoryTools} has the tools of the server, {@code HookHandler} handles the hook events.
 */
@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
