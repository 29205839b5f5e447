/** Tests of the page that puts the field's figures beside ours. */
@NullMarked
package org.sluiceca.load.adcs;

import org.jspecify.annotations.NullMarked;
