/**
 * What was issued, as it is looked up, found in the index and counted by when it ends. Entry:
 * {@link org.sluiceca.api.certificate.store.CertificateSearch}.
 */
@NullMarked
package org.sluiceca.api.certificate.store;

import org.jspecify.annotations.NullMarked;
