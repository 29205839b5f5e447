/** When certificates are to be renewed: counts, rates and replacements behind the windows. */
@NullMarked
package org.sluiceca.api.renewal;

import org.jspecify.annotations.NullMarked;
