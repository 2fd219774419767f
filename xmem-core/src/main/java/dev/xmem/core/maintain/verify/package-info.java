/** Keeps derived files in step with the logs, checks all files, and rebuilds what is damaged. */
@NullMarked
package dev.xmem.core.maintain.verify;

import org.jspecify.annotations.NullMarked;
