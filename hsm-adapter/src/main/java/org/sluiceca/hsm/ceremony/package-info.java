/**
 * Making and finding CA keys in a token, and measuring the token, outside the running service.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.ceremony.KeyCeremony}. Knows no lane: a ceremony is one
 * person, one session, one thread; only {@code Load} has several, to find out how many engines
 * there are.
 */
@NullMarked
package org.sluiceca.hsm.ceremony;

import org.jspecify.annotations.NullMarked;
