/**
 * The options of a ceremony's steps: which token, which database, which kind of key, which name,
 * which profiles.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.option;

import org.jspecify.annotations.NullMarked;
