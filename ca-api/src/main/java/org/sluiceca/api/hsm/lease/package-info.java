/**
 * The windows of nodes that share a token, agreed on through the database: the store of leases, the
 * calibrations behind them, and the thread that keeps both going. Entry class: {@link
 * org.sluiceca.api.hsm.lease.LeaseLoop}. Apart from the ledger, the only package that speaks SQL;
 * knows no certificates.
 */
@NullMarked
package org.sluiceca.api.hsm.lease;

import org.jspecify.annotations.NullMarked;
