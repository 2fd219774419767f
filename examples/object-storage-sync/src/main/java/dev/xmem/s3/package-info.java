/**
 * Sync through object storage with the protocol of Amazon S3. {@link dev.xmem.s3.S3SyncBackend} is the public class.
 * {@code HeadStore} has the fence, {@code PieceStore} has the bytes of streams, and {@code S3Client} sends signed
 * requests.
 */
@org.jspecify.annotations.NullMarked
package dev.xmem.s3;
