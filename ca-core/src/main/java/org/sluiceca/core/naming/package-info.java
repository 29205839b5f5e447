/**
 * Names by rule: {@link org.sluiceca.core.naming.NameTemplate} makes them of a request's facts,
 * {@link org.sluiceca.core.naming.NamePattern} and {@link org.sluiceca.core.naming.NameSpaces}
 * judge them. Every input is hostile here; nothing takes longer than its length allows. Knows no
 * profile.
 */
@NullMarked
package org.sluiceca.core.naming;

import org.jspecify.annotations.NullMarked;
