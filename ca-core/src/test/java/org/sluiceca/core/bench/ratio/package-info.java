/**
 * Compares what steps of the line cost with what other code costs in the same run, and with a
 * committed baseline of these ratios; {@code ./sluice bench ratios} does so. Entry: {@link
 * org.sluiceca.core.bench.ratio.RatioBench}.
 */
@NullMarked
package org.sluiceca.core.bench.ratio;

import org.jspecify.annotations.NullMarked;
