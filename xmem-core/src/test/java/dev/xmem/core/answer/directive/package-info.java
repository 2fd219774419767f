/** Tests of directives. */
@NullMarked
package dev.xmem.core.answer.directive;

import org.jspecify.annotations.NullMarked;
