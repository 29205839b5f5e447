/** Builds search and the report of expiry from the configuration. */
@NullMarked
package org.sluiceca.api.certificate.config;

import org.jspecify.annotations.NullMarked;
