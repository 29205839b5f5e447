/**
 * The pages on which people work with certificates: look at, revoke and enroll; {@code find}: find.
 * Entry: {@link org.sluiceca.api.console.work.CertificatePageController}. What a requester may see
 * and do is decided by the services that REST asks as well.
 */
@NullMarked
package org.sluiceca.api.console.work;

import org.jspecify.annotations.NullMarked;
