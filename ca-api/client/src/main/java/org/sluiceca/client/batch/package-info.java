/** {@code sluice batch}: many certificates by one command, which can be resumed after a kill. */
@NullMarked
package org.sluiceca.client.batch;

import org.jspecify.annotations.NullMarked;
