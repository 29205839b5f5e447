/** Stores versions of endpoints and activates them, by request of administrators. */
@NullMarked
package org.sluiceca.api.acme.endpoint.administration;

import org.jspecify.annotations.NullMarked;
