/** Fakes and real tokens for the adapter's tests. */
@NullMarked
package org.sluiceca.hsm.testkit;

import org.jspecify.annotations.NullMarked;
