/** Exchanges with the service: repeated as it asks, on the next node if one is away. */
@NullMarked
package org.sluiceca.client.http;

import org.jspecify.annotations.NullMarked;
