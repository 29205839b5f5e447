/**
 * The REST enrollment API (docs/protocols/REST.md): decodes HTTP into the core's requests and
 * encodes its results. Knows nothing of issuing.
 */
@NullMarked
package org.sluiceca.api.rest;

import org.jspecify.annotations.NullMarked;
