/**
 * What every provider must hold to. Extend the contract of the interface you implement and give it your provider; JUnit
 * 5.14, jqwik 1.9.3 and AssertJ have to be on the test class path.
 */
@NullMarked
package dev.xmem.testing;

import org.jspecify.annotations.NullMarked;
