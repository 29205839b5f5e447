/** Orders of ACME and their authorizations (RFC 8555 7.4, 7.5). */
@NullMarked
package org.sluiceca.api.acme.order;

import org.jspecify.annotations.NullMarked;
