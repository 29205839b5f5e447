/** Keys, certificate requests, and the files that hold them. */
@NullMarked
package org.sluiceca.client.key;

import org.jspecify.annotations.NullMarked;
