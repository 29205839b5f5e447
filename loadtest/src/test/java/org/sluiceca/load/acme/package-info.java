/** Tests of what clients of ACME share. */
@NullMarked
package org.sluiceca.load.acme;

import org.jspecify.annotations.NullMarked;
