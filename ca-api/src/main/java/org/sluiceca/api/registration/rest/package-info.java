/** Waiting requests in REST. Entry: {@code RequestsController}. */
@NullMarked
package org.sluiceca.api.registration.rest;

import org.jspecify.annotations.NullMarked;
