/**
 * Synchronisation through a git repository, {@link dev.xmem.git.GitSyncBackend}, and export, {@link
 * dev.xmem.git.GitExport}.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"module", "requires-automatic"})
module dev.xmem.git {
    requires transitive dev.xmem;
    requires com.fasterxml.jackson.core;
    requires dev.xmem.core;
    requires org.eclipse.jgit;
    requires static org.jspecify;

    exports dev.xmem.git;
}
