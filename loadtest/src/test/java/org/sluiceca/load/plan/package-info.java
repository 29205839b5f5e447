/** Tests of plans and goals. */
@NullMarked
package org.sluiceca.load.plan;

import org.jspecify.annotations.NullMarked;
