/** Examines an installation: every link from the settings of an agent to the store. Changes nothing. */
@NullMarked
package dev.xmem.cli.doctor;

import org.jspecify.annotations.NullMarked;
