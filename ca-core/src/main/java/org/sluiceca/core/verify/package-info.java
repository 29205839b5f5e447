/**
 * Verifies signatures with public keys. Entry: {@link org.sluiceca.core.verify.SignatureVerifier}.
 * The implementation is chosen by measurement (docs/adr/0014).
 */
@NullMarked
package org.sluiceca.core.verify;

import org.jspecify.annotations.NullMarked;
