package dev.xmem.git;

/** The git implementation that connects to the remote repository. */
public enum Transport {
    /**
     * The installed {@code git}, with its credential helpers, ssh agent and proxies. It is started for each round,
     * without prompts and without hooks.
     */
    GIT,
    /** JGit, in this process. Supports folders, http(s) and git URLs; does not support ssh. */
    JGIT
}
