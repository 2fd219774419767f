/**
 * The page of a store in a browser. {@code PageServer} is its entry point; {@code Gate} decides which requests it
 * answers, {@code Views} has what it shows, and {@code Acts} what it changes. {@code Families} groups the failures in
 * the background. {@code Trend} has the weeks, which {@code Report} also writes into a file.
 */
@NullMarked
package dev.xmem.page;

import org.jspecify.annotations.NullMarked;
