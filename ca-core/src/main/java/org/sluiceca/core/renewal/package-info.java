/** Renewal information (RFC 9773) as pure arithmetic and names: knows no store and no HTTP. */
@NullMarked
package org.sluiceca.core.renewal;

import org.jspecify.annotations.NullMarked;
