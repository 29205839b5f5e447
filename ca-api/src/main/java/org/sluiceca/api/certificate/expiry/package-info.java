/**
 * What ends by itself, as metrics: certificates of issuers, of OCSP responders and of the node, and
 * credentials. Entry: {@link org.sluiceca.api.certificate.expiry.ExpiryWatch}. Renews nothing.
 */
@NullMarked
package org.sluiceca.api.certificate.expiry;

import org.jspecify.annotations.NullMarked;
