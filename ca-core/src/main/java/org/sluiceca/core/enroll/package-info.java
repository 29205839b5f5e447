/**
 * The line itself: {@link org.sluiceca.core.enroll.Enrollment}, two methods, eight numbered steps.
 * Every protocol ends here, and nothing here knows of a protocol.
 */
@NullMarked
package org.sluiceca.core.enroll;

import org.jspecify.annotations.NullMarked;
