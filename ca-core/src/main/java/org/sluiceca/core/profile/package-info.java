/**
 * What may be issued: {@link org.sluiceca.core.profile.CertificateProfile} and its policies, all
 * validated when they are made, and step 2, {@link org.sluiceca.core.profile.ProfileAuthorizer}.
 * Knows neither files nor YAML: ca-api reads those.
 */
@NullMarked
package org.sluiceca.core.profile;

import org.jspecify.annotations.NullMarked;
