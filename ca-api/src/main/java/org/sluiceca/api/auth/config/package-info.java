/**
 * Builds authentication from the configuration. Entry: {@link
 * org.sluiceca.api.auth.config.AuthConfiguration}.
 */
@NullMarked
package org.sluiceca.api.auth.config;

import org.jspecify.annotations.NullMarked;
