/**
 * Builds OCSP from the configuration. Entry: {@link
 * org.sluiceca.api.ocsp.config.OcspConfiguration}.
 */
@NullMarked
package org.sluiceca.api.ocsp.config;

import org.jspecify.annotations.NullMarked;
