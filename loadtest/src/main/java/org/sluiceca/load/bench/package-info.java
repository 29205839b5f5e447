/**
 * What the benchmarks measured of one or more CAs: {@link BenchPage} reads what the shell wrote
 * down, judges whether it is honest, and writes the page. Knows no product's code.
 */
@NullMarked
package org.sluiceca.load.bench;

import org.jspecify.annotations.NullMarked;
