/**
 * Sessions of the console in the database. Entry: {@link
 * org.sluiceca.api.console.session.store.SessionStore}.
 */
@NullMarked
package org.sluiceca.api.console.session.store;

import org.jspecify.annotations.NullMarked;
