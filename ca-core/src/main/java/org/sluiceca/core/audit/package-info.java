/**
 * What happened, in chains that cannot be changed unseen: {@link org.sluiceca.core.audit.ChainHead}
 * grows a chain row by row, {@link org.sluiceca.core.audit.Checkpoints} has the heads of all chains
 * signed. Knows neither where rows are kept nor what they tell.
 */
@NullMarked
package org.sluiceca.core.audit;

import org.jspecify.annotations.NullMarked;
