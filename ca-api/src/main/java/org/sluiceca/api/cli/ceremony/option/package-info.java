/**
 * What a ceremony's steps are told on the command line: which token, which database, which kind of
 * key, which name.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.option;

import org.jspecify.annotations.NullMarked;
