/**
 * The program {@code xmem}. {@code Main} builds the command line: {@code RootCommand} has the shared options, each
 * {@code *Subcommand} is one command. Commands open stores through {@code StoreOpener}, read requests with
 * {@code InputLines} and {@code JsonText}, and write through {@code Terminal}.
 */
@NullMarked
package dev.xmem.cli;

import org.jspecify.annotations.NullMarked;
