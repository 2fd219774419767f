package dev.xmem.git;

/** Who speaks to the remote repository. */
public enum Transport {
    /**
     * The machine's {@code git}, with its credential helpers, ssh agent and proxies; it is started for each round, without
     * prompts and without hooks.
     */
    GIT,
    /** JGit, within this process: starts no other. For folders, http(s) and git URLs; not for ssh. */
    JGIT
}
