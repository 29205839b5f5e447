/**
 * The ceremony's step that changes the database's schema with its owner's account.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.ceremony.schema.MigrateStep}. Knows neither keys nor
 * certificates.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.schema;

import org.jspecify.annotations.NullMarked;
