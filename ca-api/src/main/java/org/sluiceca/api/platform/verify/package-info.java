/** Chooses how signatures are verified on this machine: natively where that is possible. */
@NullMarked
package org.sluiceca.api.platform.verify;

import org.jspecify.annotations.NullMarked;
