@NullMarked
package dev.xmem.langchain4j;

import org.jspecify.annotations.NullMarked;
