/** Serves issuers, their certificates and chains. */
@NullMarked
package org.sluiceca.api.issuer.publish;

import org.jspecify.annotations.NullMarked;
