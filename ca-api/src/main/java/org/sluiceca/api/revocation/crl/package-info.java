/**
 * CRLs of a running node: {@link org.sluiceca.api.revocation.crl.CrlLoop} issues what is due and
 * fetches what other nodes signed, {@link org.sluiceca.api.revocation.crl.CrlFolder} keeps the
 * newest as files, and those are served.
 */
@NullMarked
package org.sluiceca.api.revocation.crl;

import org.jspecify.annotations.NullMarked;
