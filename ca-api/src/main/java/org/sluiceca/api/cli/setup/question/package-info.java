/**
 * What setup asks, and what an answer may look like.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.question.Question}. Does not know where an
 * answer comes from.
 */
@NullMarked
package org.sluiceca.api.cli.setup.question;

import org.jspecify.annotations.NullMarked;
