/** Sync through a git repository. Exports {@code dev.xmem.git} from the day that it has a type. */
@org.jspecify.annotations.NullMarked
module dev.xmem.git {
    requires transitive dev.xmem;
}
