/**
 * The deterministic simulation of the issuance line: several nodes, one database, one token, one
 * baton. Entry: {@link org.sluiceca.api.simulation.Simulation}; see docs/adr/0013-simulation.md.
 */
@NullMarked
package org.sluiceca.api.simulation;

import org.jspecify.annotations.NullMarked;
