/**
 * The lints of step 4: one file a lint, each with citation and effective date, all run by {@link
 * org.sluiceca.core.plan.lint.Lints} on the exact bytes that would be signed.
 */
@NullMarked
package org.sluiceca.core.plan.lint;

import org.jspecify.annotations.NullMarked;
