/**
 * Joins the core's signing port to the HSM adapter, the only place where both vocabularies meet,
 * and reads which tokens there are. Entry: {@link org.sluiceca.api.hsm.HsmIssuerSigner}.
 */
@NullMarked
package org.sluiceca.api.hsm;

import org.jspecify.annotations.NullMarked;
