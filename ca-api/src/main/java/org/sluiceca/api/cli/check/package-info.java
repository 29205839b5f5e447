/**
 * {@code ./sluice ceremony profile}: says what a profile would make of a request, and whether
 * profile files are sound. Takes the steps 2 to 4 of the line and no further: no database, no
 * token, nothing signed.
 */
@NullMarked
package org.sluiceca.api.cli.check;

import org.jspecify.annotations.NullMarked;
