/**
 * The PKCS#11 calls that signing needs, in PKCS#11's own words.
 *
 * <p>Entry classes: {@link org.sluiceca.hsm.pkcs11.Cryptoki} and, over it, {@code Token} and {@code
 * Session}. The only package that imports the wrapper library or the JDK's internal PKCS#11
 * package. It reports return values as they come ({@code CryptokiException}); what they mean is
 * decided above, in {@code vendor}.
 */
@NullMarked
package org.sluiceca.hsm.pkcs11;

import org.jspecify.annotations.NullMarked;
