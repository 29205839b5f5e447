/**
 * A PKCS#11 module in a process of its own, so that a library that crashes or hangs does not take
 * the node with it (docs/adr/0017).
 *
 * <p>Entry class: {@link org.sluiceca.hsm.isolate.IsolatedCryptoki}, the second implementation of
 * {@code Cryptoki}. {@code wire} is the protocol, {@code child} the program at its other end.
 */
@NullMarked
package org.sluiceca.hsm.isolate;

import org.jspecify.annotations.NullMarked;
