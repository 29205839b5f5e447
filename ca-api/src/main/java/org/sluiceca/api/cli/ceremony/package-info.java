/**
 * The key ceremony at a command line: keys in tokens, the root's two signatures through the same
 * line as every certificate, issuers and first credentials into the database. Entry: {@link
 * org.sluiceca.api.cli.ceremony.CeremonyCommand}.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony;

import org.jspecify.annotations.NullMarked;
