/** Builds renewal information from the configuration. */
@NullMarked
package org.sluiceca.api.renewal.config;

import org.jspecify.annotations.NullMarked;
