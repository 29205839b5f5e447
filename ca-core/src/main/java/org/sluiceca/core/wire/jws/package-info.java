/** Signed JSON (JWS, RFC 7515) and public keys in JSON (JWK, RFC 7517), as ACME sends them. */
@NullMarked
package org.sluiceca.core.wire.jws;

import org.jspecify.annotations.NullMarked;
