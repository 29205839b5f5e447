/**
 * The one way to a certificate. {@link org.sluiceca.api.issuance.IssuanceService} takes a request
 * through the eight steps and is what a protocol calls; {@link
 * org.sluiceca.api.issuance.IssuanceExecutor} finishes each recorded intent for which no client
 * waits on a virtual thread of its own, {@link org.sluiceca.api.issuance.RecoveryPass} those whose
 * node did not.
 */
@NullMarked
package org.sluiceca.api.issuance;

import org.jspecify.annotations.NullMarked;
