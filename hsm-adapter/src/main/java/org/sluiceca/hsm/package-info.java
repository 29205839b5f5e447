/**
 * Signing with keys inside a PKCS#11 token: mechanisms and bytes in, bytes out.
 *
 * <p>This package is the module's public face: values and interfaces, which every other package
 * uses and which know none of them. A token is opened by {@link org.sluiceca.hsm.signer.HsmSigner},
 * several by {@link org.sluiceca.hsm.route.TokenGroup}. Nothing here knows certificates, names,
 * HTTP or databases.
 */
@NullMarked
package org.sluiceca.hsm;

import org.jspecify.annotations.NullMarked;
