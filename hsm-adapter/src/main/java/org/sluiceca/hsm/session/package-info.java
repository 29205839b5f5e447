/**
 * The sessions of a token and the threads that own them: how they sign, and how they come back when
 * a session, a login or the token is lost.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.session.TokenSessions}. Knows the lane that it serves and
 * the module, never certificates or requesters.
 */
@NullMarked
package org.sluiceca.hsm.session;

import org.jspecify.annotations.NullMarked;
