/**
 * ACME (RFC 8555) in front of the registration of requests. Translates; decides nothing about
 * certificates. Entry: {@code AcmeController}.
 */
@NullMarked
package org.sluiceca.api.acme;

import org.jspecify.annotations.NullMarked;
