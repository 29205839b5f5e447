/**
 * Exporting the audit trail over REST, page by page: {@code GET /v1/audit}. The form of its lines
 * is the core's ({@link org.sluiceca.core.audit.ExportForm}). Knows no SQL.
 */
@NullMarked
package org.sluiceca.api.audit.export;

import org.jspecify.annotations.NullMarked;
