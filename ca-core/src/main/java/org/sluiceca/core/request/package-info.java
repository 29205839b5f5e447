/**
 * What a protocol hands to the line: {@link org.sluiceca.core.request.EnrollmentRequest} and who
 * sends it. Knows neither HTTP nor how the requester was authenticated.
 */
@NullMarked
package org.sluiceca.core.request;

import org.jspecify.annotations.NullMarked;
