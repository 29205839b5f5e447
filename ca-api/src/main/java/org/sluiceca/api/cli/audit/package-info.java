/**
 * What auditors do at a command line: {@link org.sluiceca.api.cli.audit.AuditCommand}. Reads the
 * database and exported files, and changes nothing.
 */
@NullMarked
package org.sluiceca.api.cli.audit;

import org.jspecify.annotations.NullMarked;
