/**
 * Finding certificates in their index: {@code GET /v1/certificates}; and counting what expires:
 * {@code GET /v1/reports/expiry}. Knows no SQL, and nothing of issuing.
 */
@NullMarked
package org.sluiceca.api.certificate.find;

import org.jspecify.annotations.NullMarked;
