/**
 * How the programs of the load tests read their command lines, report what is wrong, and end.
 * Entry: {@link org.sluiceca.load.cli.Program}.
 */
@NullMarked
package org.sluiceca.load.cli;

import org.jspecify.annotations.NullMarked;
