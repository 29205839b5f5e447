/**
 * One opened token: joins its lanes, sessions and module. Entry: {@link
 * org.sluiceca.hsm.signer.HsmSigner}.
 */
@NullMarked
package org.sluiceca.hsm.signer;

import org.jspecify.annotations.NullMarked;
