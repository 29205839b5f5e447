/**
 * What auditors do at a command line: {@link org.sluiceca.api.auditor.AuditCommand}. Reads the
 * database and exported files, and changes nothing.
 */
@NullMarked
package org.sluiceca.api.auditor;

import org.jspecify.annotations.NullMarked;
