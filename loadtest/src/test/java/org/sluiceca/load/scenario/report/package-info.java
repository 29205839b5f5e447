/** Tests of the package of this name. */
@org.jspecify.annotations.NullMarked
package org.sluiceca.load.scenario.report;
