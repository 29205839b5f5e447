/**
 * The index of certificates, a projection of the ledger, and what ends when. Entry: {@link
 * org.sluiceca.api.certificate.store.CertificateSearch}.
 */
@NullMarked
package org.sluiceca.api.certificate.store;

import org.jspecify.annotations.NullMarked;
