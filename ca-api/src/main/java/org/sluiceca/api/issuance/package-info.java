/**
 * Finishes what step 5 has recorded: {@link org.sluiceca.api.issuance.IssuanceExecutor} finishes
 * each recorded intent for which no client waits on a virtual thread of its own, {@link
 * org.sluiceca.api.issuance.RecoveryPass} those whose node did not.
 */
@NullMarked
package org.sluiceca.api.issuance;

import org.jspecify.annotations.NullMarked;
