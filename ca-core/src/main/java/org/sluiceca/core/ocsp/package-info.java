/**
 * OCSP (RFC 6960, RFC 5019): {@link org.sluiceca.core.ocsp.StatusRule} says what is true of a
 * certificate, {@link org.sluiceca.core.ocsp.ResponseIssuance} has a responder's key sign it,
 * {@link org.sluiceca.core.ocsp.AnswerCache} keeps the answer while it is. Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.core.ocsp;

import org.jspecify.annotations.NullMarked;
