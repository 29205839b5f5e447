/**
 * Opens the tokens and their windows from the configuration. Entry: {@link
 * org.sluiceca.api.hsm.config.HsmConfiguration}.
 */
@NullMarked
package org.sluiceca.api.hsm.config;

import org.jspecify.annotations.NullMarked;
