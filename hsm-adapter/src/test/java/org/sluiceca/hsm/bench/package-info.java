/** What the adapter itself costs; run by {@code ./sluice bench lane}. */
@NullMarked
package org.sluiceca.hsm.bench;

import org.jspecify.annotations.NullMarked;
