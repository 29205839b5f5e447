/**
 * Which HTTP this service speaks, and how its ports are limited. Entry: {@link
 * org.sluiceca.api.http.HttpSettings}. Knows nothing of what is asked.
 */
@NullMarked
package org.sluiceca.api.http;

import org.jspecify.annotations.NullMarked;
