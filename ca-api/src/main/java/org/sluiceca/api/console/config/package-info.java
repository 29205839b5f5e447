/**
 * Builds the console from the configuration. Entry: {@link
 * org.sluiceca.api.console.config.ConsoleConfiguration}.
 */
@NullMarked
package org.sluiceca.api.console.config;

import org.jspecify.annotations.NullMarked;
