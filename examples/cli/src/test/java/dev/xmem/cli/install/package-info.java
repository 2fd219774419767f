@NullMarked
package dev.xmem.cli.install;

import org.jspecify.annotations.NullMarked;
