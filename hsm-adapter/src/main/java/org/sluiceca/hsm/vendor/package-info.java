/**
 * Vendor differences as data: what a return value of PKCS#11 means and what is to be done about it.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.vendor.CkrProfile}. Knows codes, never sessions.
 */
@NullMarked
package org.sluiceca.hsm.vendor;

import org.jspecify.annotations.NullMarked;
