/**
 * Benchmarks of the line's steps, by JMH; {@code ./sluice bench micro} runs and compares them.
 * Entry: {@link org.sluiceca.core.bench.LineBenchmark}.
 */
@NullMarked
package org.sluiceca.core.bench;

import org.jspecify.annotations.NullMarked;
