/** What features share that is not about certificates. Knows none of them. */
@NullMarked
package org.sluiceca.api.platform;

import org.jspecify.annotations.NullMarked;
