/**
 * The slash commands of the X-MEM protocol: a line of text in, an answer in text out, using only the public API of the
 * store. {@link dev.xmem.core.agent.command.CommandDispatcher} parses the line and knows the usage of each command.
 * {@code RecordCommand} asks for an entry and records it, {@code CompactCommand} compacts, and {@code RecallDialog}
 * offers to show a known failure or to record a new one, and keeps the open offer of each session.
 */
@NullMarked
package dev.xmem.core.agent.command;

import org.jspecify.annotations.NullMarked;
