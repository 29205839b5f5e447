/**
 * DNS of validators: look-ups through the resolvers of the terms, the addresses of a machine, and
 * the challenges that DNS records answer, dns-01 and dns-persist-01.
 */
@NullMarked
package org.sluiceca.api.validation.dns;

import org.jspecify.annotations.NullMarked;
