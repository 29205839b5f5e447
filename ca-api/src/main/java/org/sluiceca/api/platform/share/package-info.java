/**
 * Bounded resources that requesters share: {@link org.sluiceca.api.platform.share.FairSlots} for
 * work that may wait for a slot, {@link org.sluiceca.api.platform.share.FairPlaces} for work that
 * is refused at once. Knows nothing of the work. The rule is in docs/adr/0062.
 */
@NullMarked
package org.sluiceca.api.platform.share;

import org.jspecify.annotations.NullMarked;
