/**
 * What a token holds, for programs that call the ceremony's steps and decide which are needed.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.ceremony.state.TokenState}. Changes nothing, and
 * knows neither the database nor certificates.
 */
@NullMarked
package org.sluiceca.api.cli.ceremony.state;

import org.jspecify.annotations.NullMarked;
