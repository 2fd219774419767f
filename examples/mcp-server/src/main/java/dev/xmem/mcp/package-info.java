/**
 * An MCP server, and a hook program for coding agents. {@code McpProgram} is the entry point of both. {@code
 * StdioServer} serves standard input and output, {@code McpHttpServer} a port; both let {@code McpEndpoint} answer
 * with the tools, resources and prompts of {@code MemoryTools} and {@code MemoryResources}. {@code HookHandler} handles
 * the hook events.
 */
@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
