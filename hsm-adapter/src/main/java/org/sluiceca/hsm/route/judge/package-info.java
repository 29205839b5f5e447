/**
 * The end of a signature as a verdict on the token that made it: {@link
 * org.sluiceca.hsm.route.judge.JudgedSignature}. Knows neither routes nor breakers.
 */
@NullMarked
package org.sluiceca.hsm.route.judge;

import org.jspecify.annotations.NullMarked;
