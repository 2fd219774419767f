/**
 * Contract tests for providers of the plug-in interfaces. The test of a provider extends the contract of its interface
 * and returns the provider. JUnit 5.14, jqwik 1.9.3 and AssertJ must be on the test class path.
 */
@NullMarked
package dev.xmem.testing;

import org.jspecify.annotations.NullMarked;
