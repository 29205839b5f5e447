/**
 * How many jobs a node may have in a token at once, so that the token is always busy and its own
 * queue always short. The node's own side; how nodes divide a token is in {@code limit.lease}.
 * Entry class: {@link org.sluiceca.hsm.limit.Limiter}. Pure: no threads, no clock, no PKCS#11.
 */
@NullMarked
package org.sluiceca.hsm.limit;

import org.jspecify.annotations.NullMarked;
