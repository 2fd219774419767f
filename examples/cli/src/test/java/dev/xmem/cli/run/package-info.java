@NullMarked
package dev.xmem.cli.run;

import org.jspecify.annotations.NullMarked;
