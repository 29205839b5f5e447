/**
 * Commands about external account bindings of ACME (RFC 8555 7.3.4): add, list, revoke. Entry:
 * {@link org.sluiceca.client.acme.EabCommand}.
 */
@NullMarked
package org.sluiceca.client.acme;

import org.jspecify.annotations.NullMarked;
