package dev.xmem.core.answer.page;

/** A text and what it costs. */
record MeasuredText(String text, int tokens) {}
