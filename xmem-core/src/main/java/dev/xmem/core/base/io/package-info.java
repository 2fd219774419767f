/**
 * The one seam for all file operations. {@link dev.xmem.core.file.Disk} is everything the engine ever does to files;
 * {@link dev.xmem.core.file.OsDisk} does it to the operating system's, {@link dev.xmem.core.file.HeapDisk} to byte arrays.
 *
 * <p>No operation reacts to an interrupt. Java closes a {@link java.nio.channels.FileChannel} for every thread when one
 * thread is interrupted inside it; {@link java.io.RandomAccessFile} and {@link java.io.FileOutputStream} do not, so they
 * carry the bytes. Only the lock file is a channel, and it is used with the caller's interrupt flag cleared and put back.
 */
@NullMarked
package dev.xmem.core.base.io;

import org.jspecify.annotations.NullMarked;
