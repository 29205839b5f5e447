/**
 * A drill with machines that somebody else has started: one is stopped or killed under load behind
 * a balancer, and every certificate that a client was given compared with the ledger afterwards
 * (docs/VM.md). Entry: {@link org.sluiceca.load.drill.machine.MachineDrillCommand}.
 */
@NullMarked
package org.sluiceca.load.drill.machine;

import org.jspecify.annotations.NullMarked;
