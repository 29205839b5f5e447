/** Tests of the generator. */
@NullMarked
package org.sluiceca.load.drive;

import org.jspecify.annotations.NullMarked;
