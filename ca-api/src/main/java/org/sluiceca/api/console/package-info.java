/**
 * The console: pages for people, rendered by the node and served at {@code /console}. Entry: {@link
 * org.sluiceca.api.console.SessionFilter}, which every request of it passes. It is no API: scripts
 * use {@code /v1}.
 */
@NullMarked
package org.sluiceca.api.console;

import org.jspecify.annotations.NullMarked;
