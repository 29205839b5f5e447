/**
 * The issuing CA and its root: what database, token and files have of them, and whose certificate
 * the issuing CA gets.
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.issuer.RootInterview}. Knows neither a node's
 * settings nor the order of the steps.
 */
@NullMarked
package org.sluiceca.api.cli.setup.issuer;

import org.jspecify.annotations.NullMarked;
