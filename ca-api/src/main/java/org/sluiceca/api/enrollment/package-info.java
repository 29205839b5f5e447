/**
 * Enrollment over REST (docs/protocols/REST.md): translates HTTP to {@link
 * org.sluiceca.api.issuance.IssuanceService} and back.
 */
@NullMarked
package org.sluiceca.api.enrollment;

import org.jspecify.annotations.NullMarked;
