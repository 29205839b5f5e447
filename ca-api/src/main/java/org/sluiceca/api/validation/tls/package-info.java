/** TLS of validators, whose certificates are not verified, and the challenge tls-alpn-01. */
@NullMarked
package org.sluiceca.api.validation.tls;

import org.jspecify.annotations.NullMarked;
