/**
 * What one core takes for verifications and TLS handshakes: what {@code ./sluice bench machine}
 * runs next to a node.
 */
@NullMarked
package org.sluiceca.core.bench.machine;

import org.jspecify.annotations.NullMarked;
