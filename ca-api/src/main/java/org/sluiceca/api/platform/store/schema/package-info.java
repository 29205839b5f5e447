/**
 * The schema of the ledger and the rights of the roles that use it
 * (docs/adr/0060-database-roles.md).
 *
 * <p>Entry class: {@link org.sluiceca.api.platform.store.schema.SchemaMigration}. Knows no table by
 * its content.
 */
@NullMarked
package org.sluiceca.api.platform.store.schema;

import org.jspecify.annotations.NullMarked;
