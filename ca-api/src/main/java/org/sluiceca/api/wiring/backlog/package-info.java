/** The composition root of the backlog of orders. */
@NullMarked
package org.sluiceca.api.wiring.backlog;

import org.jspecify.annotations.NullMarked;
