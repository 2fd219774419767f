package dev.xmem.core.base.json;

/** A number, literal, object or array as compact JSON text. */
public record RawJson(String text) {}
