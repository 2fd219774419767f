/**
 * The hook program of coding agents. {@code HookProgram} is its entry point, and {@code HookHandler} handles the
 * events.
 */
@NullMarked
package dev.xmem.hooks;

import org.jspecify.annotations.NullMarked;
