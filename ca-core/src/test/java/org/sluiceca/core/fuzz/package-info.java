/**
 * Fuzz targets: each takes any bytes and throws only if the code under it broke a promise. {@code
 * deploy/local/fuzz.sh} drives them by Jazzer, {@link org.sluiceca.core.fuzz.FuzzRegressionTest} by
 * seeds and earlier finds in every build.
 */
@NullMarked
package org.sluiceca.core.fuzz;

import org.jspecify.annotations.NullMarked;
