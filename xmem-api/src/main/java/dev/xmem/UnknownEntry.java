package dev.xmem;

/** An entry of a kind that this version of xmem does not know. It is stored, found and shown, but not interpreted. */
public non-sealed interface UnknownEntry extends Entry {}
