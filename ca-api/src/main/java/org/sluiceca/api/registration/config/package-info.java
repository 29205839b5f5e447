/** Builds the registration of requests. */
@NullMarked
package org.sluiceca.api.registration.config;

import org.jspecify.annotations.NullMarked;
