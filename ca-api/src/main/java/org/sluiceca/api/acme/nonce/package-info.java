/** Nonces (RFC 8555 6.5) that any node makes and any node takes once. */
@NullMarked
package org.sluiceca.api.acme.nonce;

import org.jspecify.annotations.NullMarked;
