/**
 * Time as the domain sees it: {@link org.sluiceca.core.time.Ticker} for waiting, {@code
 * java.time.InstantSource} for dates. Both come in from outside, so that a simulation owns them.
 */
@NullMarked
package org.sluiceca.core.time;

import org.jspecify.annotations.NullMarked;
