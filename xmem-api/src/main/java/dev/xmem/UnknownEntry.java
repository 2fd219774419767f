package dev.xmem;

/** An entry of a kind that this version of xmem does not know. It is kept, found and shown; nothing else is done to it. */
public non-sealed interface UnknownEntry extends Entry {}
