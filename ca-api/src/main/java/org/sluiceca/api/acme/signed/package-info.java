/** Signed requests of ACME (RFC 8555 6.2 to 6.5), verified. */
@NullMarked
package org.sluiceca.api.acme.signed;

import org.jspecify.annotations.NullMarked;
