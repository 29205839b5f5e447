/**
 * Finds what was changed behind the audit trail's back: {@link
 * org.sluiceca.core.audit.verify.CheckpointVerifier} reads checkpoints, {@link
 * org.sluiceca.core.audit.verify.ChainVerifier} the rows that they cover. Knows neither database
 * nor files, and nothing of what rows tell.
 */
@NullMarked
package org.sluiceca.core.audit.verify;

import org.jspecify.annotations.NullMarked;
