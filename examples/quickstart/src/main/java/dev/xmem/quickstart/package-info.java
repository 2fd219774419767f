/** The quickstart: real commands fail, their fixes are recorded, and similar failures recall them. */
@NullMarked
package dev.xmem.quickstart;

import org.jspecify.annotations.NullMarked;
