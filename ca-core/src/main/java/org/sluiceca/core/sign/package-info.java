/**
 * Step 6 as the domain sees it: {@link org.sluiceca.core.sign.IssuerSigner} signs what is {@link
 * org.sluiceca.core.sign.Signable}, which only a durable record is. It stands before {@code intent}
 * in the order of imports because the recorded intent is what implements it.
 */
@NullMarked
package org.sluiceca.core.sign;

import org.jspecify.annotations.NullMarked;
