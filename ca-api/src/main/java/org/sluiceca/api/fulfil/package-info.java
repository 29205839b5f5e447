/**
 * Keeps the promises of step 5: {@link org.sluiceca.api.fulfil.Fulfilment} finishes each recorded
 * intent on a virtual thread of its own, {@link org.sluiceca.api.fulfil.RecoveryLoop} those whose
 * node did not.
 */
@NullMarked
package org.sluiceca.api.fulfil;

import org.jspecify.annotations.NullMarked;
