/**
 * The answers that setup needs: what is asked, what an answer may look like, where it comes from,
 * and where it is kept between two runs.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.answer.Answers}. Knows neither the database nor
 * tokens.
 */
@NullMarked
package org.sluiceca.api.cli.setup.answer;

import org.jspecify.annotations.NullMarked;
