/** Tests of directives. */
@NullMarked
package dev.xmem.core.directive;

import org.jspecify.annotations.NullMarked;
