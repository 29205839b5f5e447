/** Answers and errors of ACME (RFC 8555 6.7). */
@NullMarked
package org.sluiceca.api.acme.answer;

import org.jspecify.annotations.NullMarked;
