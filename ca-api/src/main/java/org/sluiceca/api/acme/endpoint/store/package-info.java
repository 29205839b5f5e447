/** The stored versions of endpoints and their activations. */
@NullMarked
package org.sluiceca.api.acme.endpoint.store;

import org.jspecify.annotations.NullMarked;
