package dev.xmem.core.page;

/** A text and what it costs. */
record Weighed(String text, int tokens) {}
