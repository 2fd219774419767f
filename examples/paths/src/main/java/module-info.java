/** A program that uses xmem as a module. */
module dev.xmem.paths {
    requires dev.xmem.core;
}
