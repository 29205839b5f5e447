/**
 * Calls that block: of a database, of a server over HTTP, of time. What fails, and an interrupt, is
 * a {@link org.sluiceca.load.cli.TrialException}.
 */
@NullMarked
package org.sluiceca.load.call;

import org.jspecify.annotations.NullMarked;
