/**
 * Requests for certificates that exist before an intent does: a client states the names first, and
 * sends its CSR when they are settled. Pure: states and transitions; the store and the issuing
 * service are ports. Entry: {@link org.sluiceca.core.registration.Registration}. Knows no protocol.
 */
@NullMarked
package org.sluiceca.core.registration;

import org.jspecify.annotations.NullMarked;
