/**
 * Secrets that the CA must read again, such as the keys of external account bindings: encrypted in
 * the database under keys of a file outside it. Entry: {@link
 * org.sluiceca.api.platform.secret.SecretKeys}.
 */
@NullMarked
package org.sluiceca.api.platform.secret;

import org.jspecify.annotations.NullMarked;
