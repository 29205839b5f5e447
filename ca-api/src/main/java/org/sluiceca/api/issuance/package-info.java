/**
 * Keeps the promises of step 5: {@link org.sluiceca.api.issuance.IssuanceExecutor} finishes each
 * recorded intent on a virtual thread of its own, {@link org.sluiceca.api.issuance.RecoveryLoop}
 * those whose node did not.
 */
@NullMarked
package org.sluiceca.api.issuance;

import org.jspecify.annotations.NullMarked;
