@org.jspecify.annotations.NullMarked
package dev.xmem.s3;
