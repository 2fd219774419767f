/**
 * The hook program of coding agents. {@code HookProgram} is its entry point, and {@code HookHandler} handles the
 * events. {@code Resident} answers them for other processes; {@code ResidentServer} has the protocol, and
 * {@code ResidentStarter} starts the process.
 */
@NullMarked
package dev.xmem.hooks;

import org.jspecify.annotations.NullMarked;
