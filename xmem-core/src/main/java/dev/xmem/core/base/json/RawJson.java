package dev.xmem.core.base.json;

/** A JSON value as compact text: a number, a literal, an object or an array that is carried, not interpreted. */
public record RawJson(String text) {}
