/**
 * Several tokens as one: which of them signs a request, and what happens when one cannot.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.route.TokenGroup}. Each token keeps its own lane, window
 * and session threads; nothing here is shared between tokens but the list of them. Knows tokens by
 * the port {@link org.sluiceca.hsm.TokenSigner}, never modules or sessions.
 */
@NullMarked
package org.sluiceca.hsm.route;

import org.jspecify.annotations.NullMarked;
