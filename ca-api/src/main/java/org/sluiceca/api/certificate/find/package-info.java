/**
 * Finding certificates: {@link org.sluiceca.api.certificate.find.IndexLoop} brings them into the
 * index, {@code GET /v1/certificates} finds them there, {@code GET /v1/reports/expiry} counts what
 * expires. Knows no SQL, and nothing of issuing.
 */
@NullMarked
package org.sluiceca.api.certificate.find;

import org.jspecify.annotations.NullMarked;
