/** Installs xmem in the settings of coding agents: minimal edits of files that belong to the user. */
@NullMarked
package dev.xmem.cli.install;

import org.jspecify.annotations.NullMarked;
