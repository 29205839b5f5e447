/** External account bindings (RFC 8555 7.3.4): made and revoked by administrators. */
@NullMarked
package org.sluiceca.api.acme.binding;

import org.jspecify.annotations.NullMarked;
