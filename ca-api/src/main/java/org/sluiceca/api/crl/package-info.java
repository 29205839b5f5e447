/**
 * CRLs of a running node: {@link org.sluiceca.api.crl.CrlLoop} issues what is due and fetches what
 * other nodes signed, {@link org.sluiceca.api.crl.CrlFolder} keeps the newest as files, and those
 * are served.
 */
@NullMarked
package org.sluiceca.api.crl;

import org.jspecify.annotations.NullMarked;
