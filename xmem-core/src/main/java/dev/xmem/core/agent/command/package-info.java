/**
 * The seed's slash commands: a line of text to an answer in text, over the store's public surface alone. {@link
 * dev.xmem.core.command.Commands} reads the line and knows the usage of each command; {@link
 * dev.xmem.core.command.RecordForm} asks for and reads what is to be recorded; {@link dev.xmem.core.command.Conversation}
 * offers to show a known failure or to record a new one, and remembers for a while what it offered to whom.
 */
@NullMarked
package dev.xmem.core.agent.command;

import org.jspecify.annotations.NullMarked;
