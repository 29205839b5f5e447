/** Looks for the proofs of names, in a bounded loop. */
@NullMarked
package org.sluiceca.api.acme.challenge;

import org.jspecify.annotations.NullMarked;
