/**
 * Answers with certificates and what became of them. Entry: {@link
 * org.sluiceca.api.certificate.CertificateAnswer}.
 */
@NullMarked
package org.sluiceca.api.certificate;

import org.jspecify.annotations.NullMarked;
