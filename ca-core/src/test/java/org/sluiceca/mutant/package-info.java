/**
 * Classes that break the core's boundary rules on purpose, in packages named like the core's:
 * {@code ArchitectureTest} asserts that every rule rejects them. Nothing else uses them.
 */
@NullMarked
package org.sluiceca.mutant;

import org.jspecify.annotations.NullMarked;
