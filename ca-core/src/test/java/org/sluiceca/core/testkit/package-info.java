/**
 * What the tests of several modules share: fakes of the ports, fixed keys, profiles and requests.
 * No test of its own.
 */
@NullMarked
package org.sluiceca.core.testkit;

import org.jspecify.annotations.NullMarked;
