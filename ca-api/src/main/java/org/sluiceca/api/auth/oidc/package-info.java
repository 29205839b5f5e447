/**
 * Access tokens of identity providers (OpenID Connect): a signed JWT becomes a {@link
 * org.sluiceca.core.request.Requester}, within what the register grants. Entry: {@link
 * org.sluiceca.api.auth.oidc.OidcTokens}. Knows nothing of requests but their client certificate.
 */
@NullMarked
package org.sluiceca.api.auth.oidc;

import org.jspecify.annotations.NullMarked;
