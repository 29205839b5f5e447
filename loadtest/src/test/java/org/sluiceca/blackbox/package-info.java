/**
 * Tests of a whole trial from outside: {@link org.sluiceca.blackbox.Trial} starts {@code ./sluice
 * up}, the tests speak HTTP to it and let foreign tools judge what comes back. Knows nothing of the
 * product's classes.
 */
@NullMarked
package org.sluiceca.blackbox;

import org.jspecify.annotations.NullMarked;
