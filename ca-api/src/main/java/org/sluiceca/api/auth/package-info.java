/**
 * Who is asking: bearer tokens and registered client certificates become a {@link
 * org.sluiceca.core.request.Requester}. Entry: {@link org.sluiceca.api.auth.Authenticator}; {@link
 * org.sluiceca.api.auth.SecurityConfiguration} says which route needs which role.
 */
@NullMarked
package org.sluiceca.api.auth;

import org.jspecify.annotations.NullMarked;
