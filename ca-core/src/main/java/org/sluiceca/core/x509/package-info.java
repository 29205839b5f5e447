/**
 * Typed values of RFC 5280: encoded bytes that cannot be mistaken for each other, names, keys and
 * serial numbers. Entry: {@link org.sluiceca.core.x509.CertificateDer}. Knows no policy and no
 * storage; parsing and writing of DER live in {@code der}.
 */
@NullMarked
package org.sluiceca.core.x509;

import org.jspecify.annotations.NullMarked;
