/**
 * Figures and verdicts from what was sent, what was answered and what the ledger holds. Pure: a
 * judge is shown to fail on planted results. Entry: {@link org.sluiceca.load.judge.PhaseJudge} and
 * {@link org.sluiceca.load.judge.Oracle}.
 */
@NullMarked
package org.sluiceca.load.judge;

import org.jspecify.annotations.NullMarked;
