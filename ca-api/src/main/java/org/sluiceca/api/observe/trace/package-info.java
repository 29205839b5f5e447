/**
 * Sends to a collector of traces where a request's time went (docs/adr/0023).
 *
 * <p>Entry class: {@link org.sluiceca.api.observe.trace.Tracing}.
 */
@NullMarked
package org.sluiceca.api.observe.trace;

import org.jspecify.annotations.NullMarked;
