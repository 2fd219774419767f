/**
 * An MCP server. {@code McpProgram} is its entry point. {@code StdioServer} serves standard input and output, {@code
 * McpHttpServer} a port; both let {@code McpEndpoint} answer with the tools, resources and prompts of {@code
 * MemoryTools} and {@code MemoryResources}.
 */
@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
