/**
 * A drill with machines that it did not start: one is stopped or killed under load behind a
 * balancer, and afterwards every certificate that a client was given is compared with the ledger
 * (docs/VM.md). Entry: {@link org.sluiceca.load.drill.machine.MachineDrillCommand}.
 */
@NullMarked
package org.sluiceca.load.drill.machine;

import org.jspecify.annotations.NullMarked;
