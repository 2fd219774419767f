/** An adapter that gives AI services of LangChain4j an experience memory. */
@NullMarked
package dev.xmem.langchain4j;

import org.jspecify.annotations.NullMarked;
