/**
 * The node's own TLS identity, issued by the CA to itself through the same line as every
 * requester's. Entry: {@link org.sluiceca.api.platform.tls.NodeTls}.
 */
@NullMarked
package org.sluiceca.api.platform.tls;

import org.jspecify.annotations.NullMarked;
