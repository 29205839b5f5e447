/**
 * Issuers put into service and out of it while nodes run: what a chain must be, which acts there
 * are, and what this node knows of the issuers since it last looked. Entries: {@link
 * org.sluiceca.api.issuer.service.IssuerAdministration}, {@link
 * org.sluiceca.api.issuer.service.IssuerChain}. Knows nothing of HTTP, tokens and profiles.
 */
@NullMarked
package org.sluiceca.api.issuer.service;

import org.jspecify.annotations.NullMarked;
