/**
 * The logs' part of the composition root. Entry: {@link
 * org.sluiceca.api.wiring.log.LogConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.log;

import org.jspecify.annotations.NullMarked;
