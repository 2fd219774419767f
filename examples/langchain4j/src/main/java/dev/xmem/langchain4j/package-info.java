/** A memory for services of LangChain4j. */
@NullMarked
package dev.xmem.langchain4j;

import org.jspecify.annotations.NullMarked;
