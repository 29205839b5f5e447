/**
 * Builds OCSP from the configuration and from what the rest of the root has built. Entry: {@link
 * org.sluiceca.api.wiring.ocsp.OcspConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.ocsp;

import org.jspecify.annotations.NullMarked;
