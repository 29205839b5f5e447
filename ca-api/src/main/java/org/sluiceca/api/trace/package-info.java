/**
 * Where a request's time went, told to a collector of traces (docs/adr/0023).
 *
 * <p>Entry class: {@link org.sluiceca.api.trace.Tracing}.
 */
@NullMarked
package org.sluiceca.api.trace;

import org.jspecify.annotations.NullMarked;
