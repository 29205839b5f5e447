/**
 * Commands about external account bindings (RFC 8555 7.3.4) and waiting requests of ACME. Entry:
 * {@link org.sluiceca.client.acme.EabCommand}.
 */
@NullMarked
package org.sluiceca.client.acme;

import org.jspecify.annotations.NullMarked;
