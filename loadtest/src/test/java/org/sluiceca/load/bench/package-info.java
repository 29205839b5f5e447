/** The benchmarks' page: what it reads, judges and shows, with planted faults. */
@NullMarked
package org.sluiceca.load.bench;

import org.jspecify.annotations.NullMarked;
