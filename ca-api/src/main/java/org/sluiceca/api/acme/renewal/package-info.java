/** Renewal information of ACME (RFC 9773). */
@NullMarked
package org.sluiceca.api.acme.renewal;

import org.jspecify.annotations.NullMarked;
