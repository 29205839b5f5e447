/**
 * Renewal information (RFC 9773): when a client should renew its certificate, so that certificates
 * which were issued or revoked together are not renewed together. Pure arithmetic over a
 * certificate's validity and serial number: every node gives the same answer without a shared plan.
 * Knows no store and no HTTP; the caller counts certificates and measures the HSM's spare rate. See
 * docs/adr/0070-renewal-windows.md.
 */
@NullMarked
package org.sluiceca.core.renewal;

import org.jspecify.annotations.NullMarked;
