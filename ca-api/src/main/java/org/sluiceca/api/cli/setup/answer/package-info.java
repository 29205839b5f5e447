/**
 * The answers that setup needs: where each comes from, when it is asked again, and where it is kept
 * between two runs.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.answer.Answers}. Knows neither the database nor
 * tokens.
 */
@NullMarked
package org.sluiceca.api.cli.setup.answer;

import org.jspecify.annotations.NullMarked;
