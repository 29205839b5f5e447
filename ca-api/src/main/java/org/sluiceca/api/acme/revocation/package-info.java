/** Revocation by ACME (RFC 8555 7.6). */
@NullMarked
package org.sluiceca.api.acme.revocation;

import org.jspecify.annotations.NullMarked;
