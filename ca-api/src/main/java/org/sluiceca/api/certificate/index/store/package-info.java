/**
 * The index of certificates, a projection of the ledger: brings into it what was issued, and drops
 * what expired long ago. Entry: {@link org.sluiceca.api.certificate.index.store.CertificateIndex}.
 */
@NullMarked
package org.sluiceca.api.certificate.index.store;

import org.jspecify.annotations.NullMarked;
