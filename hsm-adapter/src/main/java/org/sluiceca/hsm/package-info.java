/**
 * Signing with keys inside a PKCS#11 token: mechanisms and bytes in, bytes out.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.HsmSigner}. This package holds the values that every
 * other package of the module uses; {@code HsmSigner} alone, the composition root, looks down into
 * the lane. Nothing here knows certificates, names, HTTP or databases.
 */
@NullMarked
package org.sluiceca.hsm;

import org.jspecify.annotations.NullMarked;
