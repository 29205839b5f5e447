/**
 * The index of certificates, a projection of the ledger: {@link
 * org.sluiceca.api.ledger.find.CertificateIndex} makes it, {@link
 * org.sluiceca.api.ledger.find.CertificateSearch} finds in it, {@link
 * org.sluiceca.api.ledger.find.ExpiryTally} counts. Knows neither HTTP nor metrics.
 */
@NullMarked
package org.sluiceca.api.ledger.find;

import org.jspecify.annotations.NullMarked;
