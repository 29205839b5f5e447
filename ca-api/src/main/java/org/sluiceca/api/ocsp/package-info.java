/**
 * OCSP over HTTP (RFC 6960 appendix A, RFC 5019): {@link org.sluiceca.api.ocsp.OcspEndpoint}
 * decodes the transport, {@link org.sluiceca.api.ocsp.OcspAnswers} answers from the cache or has an
 * answer signed. Knows no token and no table.
 */
@NullMarked
package org.sluiceca.api.ocsp;

import org.jspecify.annotations.NullMarked;
