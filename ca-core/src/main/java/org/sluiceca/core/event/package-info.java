/**
 * What happened on the line: one stream that audit, metrics and the simulation's oracle read.
 * {@link org.sluiceca.core.event.EventSink} is the port.
 */
@NullMarked
package org.sluiceca.core.event;

import org.jspecify.annotations.NullMarked;
