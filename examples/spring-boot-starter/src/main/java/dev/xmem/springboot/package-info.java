/** Auto-configuration of xmem for Spring Boot and Spring AI. */
@NullMarked
package dev.xmem.springboot;

import org.jspecify.annotations.NullMarked;
