@org.jspecify.annotations.NullMarked
package dev.xmem.postgres;
