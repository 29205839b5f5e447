/** Builds ACME from the configuration. */
@NullMarked
package org.sluiceca.api.acme.config;

import org.jspecify.annotations.NullMarked;
