/** CDI beans that give AI services of Quarkus LangChain4j an experience memory. */
@NullMarked
package dev.xmem.quarkus;

import org.jspecify.annotations.NullMarked;
