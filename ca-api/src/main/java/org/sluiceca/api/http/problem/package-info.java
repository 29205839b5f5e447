/**
 * Errors as clients see them (RFC 9457): {@link org.sluiceca.api.http.problem.ProblemType} is the
 * closed list, {@link org.sluiceca.api.http.problem.Problem} one occurrence. The only package that
 * turns failures into status codes.
 */
@NullMarked
package org.sluiceca.api.http.problem;

import org.jspecify.annotations.NullMarked;
