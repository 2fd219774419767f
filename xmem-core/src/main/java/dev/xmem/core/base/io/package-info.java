/**
 * File operations, locks and the cache of file content.
 *
 * <p>{@link dev.xmem.core.base.io.FileSystem} lists every operation that the engine does on files; start there. {@link
 * dev.xmem.core.base.io.NativeFileSystem} does them on the files of the operating system and {@link
 * dev.xmem.core.base.io.InMemoryFileSystem} on byte arrays. {@link dev.xmem.core.base.io.InterProcessLock} is the lock
 * file of a store.
 *
 * <p>No operation reacts to an interrupt. Java closes a {@link java.nio.channels.FileChannel} for all threads when one
 * thread is interrupted inside it. {@link java.io.RandomAccessFile} and {@link java.io.FileOutputStream} do not have
 * this behavior, so logs are read and written through them. Where a channel is needed, the operation is repeated after
 * an interrupt, and the interrupt status is restored.
 */
@NullMarked
package dev.xmem.core.base.io;

import org.jspecify.annotations.NullMarked;
