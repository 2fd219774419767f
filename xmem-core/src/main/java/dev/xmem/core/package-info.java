/**
 * The door of the engine: {@link dev.xmem.core.XMem} opens stores. The classes behind it wire the rooms: {@code
 * Preparation} makes of a draft what can be stored, {@code Recorder} appends it, {@code DefaultStore} answers, {@code
 * IndexJsonWriter} keeps {@code index.json} in step.
 */
@NullMarked
package dev.xmem.core;

import org.jspecify.annotations.NullMarked;
