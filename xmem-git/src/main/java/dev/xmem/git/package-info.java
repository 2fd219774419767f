/**
 * Synchronisation and export through git.
 *
 * <p>{@link dev.xmem.git.GitSyncBackend} keeps each replica in a ref of its own, which only its owner pushes, so there
 * are no conflicts. {@code CommitWriter} writes the commits, {@code ReplicaTree} and {@code StreamReader} read them.
 * {@link dev.xmem.git.GitExport} commits a readable copy of a store, to a {@code WorkTree} or a {@code RemoteBranch}.
 * Both reach the remote with a {@code GitRemote}: the installed git or JGit.
 */
@NullMarked
package dev.xmem.git;

import org.jspecify.annotations.NullMarked;
