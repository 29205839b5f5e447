/** Tests of pictures and tables. */
@NullMarked
package org.sluiceca.load.report;

import org.jspecify.annotations.NullMarked;
