/**
 * Step 4: {@link org.sluiceca.core.plan.Planner} decides every byte of the certificate before
 * anything is signed. Knows the issuers' public side only.
 */
@NullMarked
package org.sluiceca.core.plan;

import org.jspecify.annotations.NullMarked;
