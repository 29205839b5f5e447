/**
 * The composition root: turns loose configuration into the domain's validated records once, builds
 * the line, and refuses to start on a contradiction. Entry: {@link
 * org.sluiceca.api.wiring.LineConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring;

import org.jspecify.annotations.NullMarked;
